import { MOST_ENTRIES, wholeBodyBytes } from './limits.js';
import { type Link, maxPayload } from './link.js';
import { OWN_PREFIX, parseJson } from './wire.js';

/** One request or answer among several in a message. */
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

/** Whether a body is small enough to share a message with others: a large one gains nothing by it. */
export function mayShare(link: Link, body: Uint8Array): boolean {
  return body.length <= wholeBodyBytes(maxPayload(link)) / MOST_ENTRIES;
}

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
