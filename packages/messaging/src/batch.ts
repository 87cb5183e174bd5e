import { MOST_ENTRIES, MOST_IN_BATCH } from './limits.js';
import { OWN_PREFIX, parseJson } from './wire.js';

/** One request or answer, alone or among several in a message. */
export interface Entry {
  /** The last token of the requester's private subject for this request. */
  readonly token: string;
  /** Of a request; empty in an answer. */
  readonly operation: string;
  /** The headers of the protocol. */
  readonly own: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const NEWLINE = 10;
const TOKEN = /^[0-9a-z]{1,16}$/;

/** The body of a message with several requests or answers: a line of JSON that describes them, then their bodies. */
export function encodeMessageBatch(entries: readonly Entry[]): Uint8Array {
  const heads = entries.map(({ token, operation, own, headers, body }) => [
    token,
    operation,
    own,
    headers,
    body.length,
  ]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(heads)}\n`), ...entries.map(({ body }) => body)]);
}

/** The entries of a message; `undefined` for one that is malformed. Their bodies share its memory. */
export function decodeMessageBatch(data: Uint8Array): Entry[] | undefined {
  const end = data.indexOf(NEWLINE);
  const heads = parseJson(data.subarray(0, Math.max(0, end)));
  if (!Array.isArray(heads) || heads.length > MOST_ENTRIES) return undefined;
  let at = end + 1;
  const entries: Entry[] = [];
  for (const head of heads as unknown[]) {
    if (!Array.isArray(head)) return undefined;
    const [token, operation, own, headers, bytes] = head as unknown[];
    if (typeof token !== 'string' || !TOKEN.test(token) || typeof operation !== 'string') return undefined;
    if (!isHeaders(own) || !isHeaders(headers)) return undefined;
    for (const name in headers) if (name.startsWith(OWN_PREFIX)) delete headers[name];
    if (!Number.isInteger(bytes) || Number(bytes) < 0) return undefined;
    entries.push({ token, operation, own, headers, body: data.subarray(at, at + Number(bytes)) });
    at += Number(bytes);
  }
  // Bodies that reach beyond the end are cut, and then the sum is wrong.
  return at === data.length ? entries : undefined;
}

/** Takes the prototype away, so that no header is found which was not sent. */
function isHeaders(value: unknown): value is Record<string, string> {
  if (typeof value !== 'object' || value === null) return false;
  Object.setPrototypeOf(value, null);
  for (const name in value) if (typeof (value as Record<string, unknown>)[name] !== 'string') return false;
  return true;
}

/** Sends the messages of one turn of the event loop as one batch. */
export interface Turn {
  /**
   * Returns a function that takes items. At the end of the turn, or earlier when many wait, `send` gets those with the
   * same `to`, in order. It must not throw.
   */
  gather<T extends { readonly to: string }>(send: (items: readonly T[]) => void): (item: T) => void;
  /** Sends what waits. */
  end(): void;
}

/**
 * The client writes to its socket as soon as a callback has ended. A batch is one write, one read by the server, and
 * one read by the receiver: these system calls were a quarter of what a read costs.
 */
export function createTurn(): Turn {
  const ends: (() => void)[] = [];
  return {
    gather<T extends { readonly to: string }>(send: (items: readonly T[]) => void) {
      let waiting: T[] = [];
      const end = (): void => {
        const items = waiting;
        waiting = [];
        if (items.length === 1) return send(items);
        for (const batch of byReceiver(items)) send(batch);
      };
      ends.push(end);
      return (item: T): void => {
        const count = waiting.push(item);
        if (count === 1) setImmediate(end);
        // With more, the processes would wait for each other instead of working at the same time.
        else if (count >= MOST_IN_BATCH) end();
      };
    },
    end: () => ends.forEach((end) => end()),
  };
}

function byReceiver<T extends { readonly to: string }>(items: readonly T[]): Iterable<T[]> {
  const batches = new Map<string, T[]>();
  for (const item of items) {
    const batch = batches.get(item.to);
    if (batch === undefined) batches.set(item.to, [item]);
    else batch.push(item);
  }
  return batches.values();
}
