import { Duplex } from 'node:stream';
import { type Logger } from '../process/observe.js';
import { typeOf } from './client-errors.js';

/** The id of an append, in either of the forms that servers send. */
interface Uuid {
  hasStructured(): boolean;
  getStructured(): { getMostSignificantBits(): string; getLeastSignificantBits(): string } | undefined;
  getString(): string;
}

interface Details {
  getTypeName(): string;
  getValue_asU8(): Uint8Array;
}

interface Reply {
  getCorrelationId(): Uuid | undefined;
  getError(): { getDetails(): Details | undefined } | undefined;
}

interface Request {
  getCorrelationId(): Uuid | undefined;
  hasOptions(): boolean;
  getOptions(): { clearDeadline(): void } | undefined;
}

/** How appends are sent. */
export interface AppendOptions {
  /**
   * Whether they carry the time of this machine's clock at which they are given up; the server compares it with its own
   * clock.
   */
  withDeadline: boolean;
}

type Listener = (value: unknown) => void;
type Open = (grpcClient: unknown) => unknown;
type StreamCreator = (kind: unknown, what: string, open: Open, cache?: unknown) => () => Promise<unknown>;

/**
 * The client (6.2.1) keeps the unanswered appends of all clients of a process in one map. When the connection of one
 * breaks, it rejects all of them, and answers to the others then throw inside a data handler, which ends the process.
 * Here a broken connection rejects only its own appends, and answers that nobody waits for are dropped. Refusals that
 * the client does not know are told in words that it knows.
 * @param options may change later, and then hold for later appends
 * @throws Error when the client differs from the version whose internals are used here
 */
export function withOwnAppends<C extends object>(client: C, options: AppendOptions): C {
  const create: unknown = Reflect.get(client, 'GRPCStreamCreator');
  if (typeof create !== 'function')
    throw new Error('This version of the EventStoreDB client opens its streams in another way');
  const own: StreamCreator = (kind, what, open, cache) =>
    (create as StreamCreator)(
      kind,
      what,
      what === 'appendToStream' ? (grpcClient) => keptApart(open(grpcClient), options) : open,
      cache,
    );
  Reflect.set(client, 'GRPCStreamCreator', own);
  return client;
}

function keptApart(stream: unknown, options: AppendOptions): unknown {
  if (!(stream instanceof Duplex)) return stream;
  const waiting = new Map<string, Uuid>();
  let isBroken = false;
  let failure = '';
  const answer = takeListener(stream, 'data');
  takeListener(stream, 'error');
  const breakOff = (): void => {
    isBroken = true;
    const ids = [...waiting.values()];
    waiting.clear();
    for (const id of ids) answer(failureOf(id, failure));
  };
  stream.on('data', (reply: Reply) => {
    const id = reply.getCorrelationId();
    if (id === undefined || !waiting.delete(keyOf(id))) return;
    answer(isTooLarge(reply) ? failureOf(id, tooLarge) : reply);
  });
  stream.on('end', breakOff).on('error', (error) => {
    if (isDenial(error)) failure = 'event_store.client.AccessDenied';
    breakOff();
  });
  const write = stream.write.bind(stream);
  stream.write = (request: Request): boolean => {
    const id = request.getCorrelationId();
    // Only the first message of an append contains its options.
    if (id !== undefined && request.hasOptions()) {
      waiting.set(keyOf(id), id);
      if (!options.withDeadline) request.getOptions()?.clearDeadline();
    }
    if (isBroken) queueMicrotask(breakOff);
    else write(request);
    // The client's own queue waits for a `drain` event, which a broken stream never emits, and then rejects a promise
    // that nobody can catch.
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

const tooLarge = 'event_store.client.MaximumAppendSizeExceeded';

/**
 * Servers refuse one event that is too large in other words than all of an append together, and one that no record can
 * hold in others still.
 */
function isTooLarge(reply: Reply): boolean {
  const details = reply.getError()?.getDetails();
  const type = details?.getTypeName();
  if (type === 'event_store.client.MaximumAppendEventSizeExceeded') return true;
  if (type !== 'event_store.client.BadRequest') return false;
  return Buffer.from(details?.getValue_asU8() ?? []).includes('Record is too big');
}

/** Whether the call was refused because of its user: `UNAUTHENTICATED` or `PERMISSION_DENIED`. */
function isDenial(error: Error): boolean {
  const code: unknown = Reflect.get(error, 'code');
  return code === 16 || code === 7;
}

/**
 * An answer that the client reads as a failure of this type. One of unknown type: it is not known whether the append
 * was carried out.
 */
function failureOf(id: Uuid, type: string): object {
  const details = { getTypeName: () => type, unpack: () => ({ getMaxappendsize: () => 0 }) };
  return {
    getCorrelationId: () => id,
    hasError: () => true,
    getError: () => ({ getDetails: () => details, getMessage: () => 'the end of the connection' }),
    getStreamIdentifier: () => ({ getStreamName: () => '' }),
  };
}

/** An append that is given up so soon, and so long before its time, has met another clock. In ms. */
const atOnce = 1000;
const timeToSpare = 1000;

const otherClock =
  "EventStoreDB gave up an append at once: its clock is ahead of this machine's. Synchronise both clocks, then start this process again " +
  '(docs/operations.md, "Time synchronisation"). Until then it sends appends without a deadline';

export interface Deadlines {
  readonly options: AppendOptions;
  /** Sends an append that is given up after `ms`; a second time when it was refused because of the server's clock. */
  within<T>(ms: number, send: (left: number) => Promise<T>): Promise<T>;
}

/**
 * The client (6.2.1) sends a time of this machine's clock with each append, and the server compares it with its own:
 * when that is some seconds ahead, every append comes too late. That is noticed, said once, and from then on appends
 * are sent without; the server then gives them up by its own setting. Sending one again writes nothing twice, as its
 * events have their ids.
 */
export function createDeadlines(logger: Logger): Deadlines {
  const options: AppendOptions = { withDeadline: true };
  return {
    options,
    async within(ms, send) {
      const began = performance.now();
      const { withDeadline } = options;
      try {
        return await send(ms);
      } catch (error) {
        const took = performance.now() - began;
        if (!withDeadline || !isRefusedAtOnce(error, took, ms)) throw error;
        if (options.withDeadline) logger.error({ tookMs: Math.round(took), deadlineMs: Math.round(ms) }, otherClock);
        options.withDeadline = false;
        return send(ms - took);
      }
    },
  };
}

function isRefusedAtOnce(error: unknown, took: number, ms: number): boolean {
  return typeOf(error) === 'deadline-exceeded' && took < atOnce && ms - took >= timeToSpare;
}
