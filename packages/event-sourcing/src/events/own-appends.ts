import { Duplex } from 'node:stream';

/** A name of an append, in either of the forms that servers give it. */
interface Uuid {
  hasStructured(): boolean;
  getStructured(): { getMostSignificantBits(): string; getLeastSignificantBits(): string } | undefined;
  getString(): string;
}

interface Reply {
  getCorrelationId(): Uuid | undefined;
}

type Request = Reply & { hasOptions(): boolean };
type Listener = (value: unknown) => void;
type Open = (grpcClient: unknown) => unknown;
type StreamCreator = (kind: unknown, what: string, open: Open, cache?: unknown) => () => Promise<unknown>;

/**
 * The client (6.2.1) keeps the unanswered appends of all clients of a process in one map. When the stream of one breaks it
 * rejects them all, and the replies that the others still get are then thrown out of a data handler, which ends the process.
 * Here a stream that breaks rejects its own appends, and no reply is looked up that nobody waits for.
 * @throws Error when the client is not built the way this counts on: another version needs another look.
 */
export function withOwnAppends<C extends object>(client: C): C {
  const create: unknown = Reflect.get(client, 'GRPCStreamCreator');
  if (typeof create !== 'function')
    throw new Error('This version of the EventStoreDB client opens its streams in another way');
  const own: StreamCreator = (kind, what, open, cache) =>
    (create as StreamCreator)(
      kind,
      what,
      what === 'appendToStream' ? (grpcClient) => keptApart(open(grpcClient)) : open,
      cache,
    );
  Reflect.set(client, 'GRPCStreamCreator', own);
  return client;
}

function keptApart(stream: unknown): unknown {
  if (!(stream instanceof Duplex)) return stream;
  const waiting = new Map<string, Uuid>();
  let isBroken = false;
  const answer = takeListener(stream, 'data');
  takeListener(stream, 'error');
  const breakOff = (): void => {
    isBroken = true;
    const ids = [...waiting.values()];
    waiting.clear();
    for (const id of ids) answer(failureOf(id));
  };
  stream.on('data', (reply: Reply) => {
    const id = reply.getCorrelationId();
    if (id !== undefined && waiting.delete(keyOf(id))) answer(reply);
  });
  stream.on('error', breakOff).on('end', breakOff);
  const write = stream.write.bind(stream);
  stream.write = (request: Request): boolean => {
    const id = request.getCorrelationId();
    // The first part of an append carries its options, and is the only one that does.
    if (id !== undefined && request.hasOptions()) waiting.set(keyOf(id), id);
    if (isBroken) queueMicrotask(breakOff);
    else write(request);
    // The client's own queue waits for a drain that a broken stream never has, and then rejects what nobody can catch.
    return true;
  };
  return stream;
}

function takeListener(stream: Duplex, event: 'data' | 'error'): Listener {
  const [listener] = stream.listeners(event) as Listener[];
  if (listener === undefined)
    throw new Error('This version of the EventStoreDB client reads its streams in another way');
  stream.removeListener(event, listener);
  return listener;
}

function keyOf(id: Uuid): string {
  const bits = id.hasStructured() ? id.getStructured() : undefined;
  if (bits === undefined) return id.getString().replaceAll('-', '').toLowerCase();
  return [bits.getMostSignificantBits(), bits.getLeastSignificantBits()]
    .map((half) => BigInt.asUintN(64, BigInt(half)).toString(16).padStart(16, '0'))
    .join('');
}

/** A reply as the client reads it: an error of no known type. Nobody knows whether the append was carried out. */
function failureOf(id: Uuid): object {
  return {
    getCorrelationId: () => id,
    hasError: () => true,
    getError: () => ({ getDetails: () => ({ getTypeName: () => '' }), getMessage: () => 'the end of the connection' }),
    getStreamIdentifier: () => ({ getStreamName: () => '' }),
  };
}
