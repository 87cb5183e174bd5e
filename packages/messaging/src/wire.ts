import { headers as createHeaders, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { AppError, type ErrorDetail, isReason, type Reason } from '@scriptorium/contracts';

/**
 * Headers of this protocol. All other headers of a message belong to the caller. Names that begin with `Rpc-` are
 * removed from the caller's headers in both directions.
 */
export const wire = {
  /** Milliseconds until the requester stops waiting. */
  deadline: 'Rpc-Deadline',
  /** The reason of an error; the body is its JSON. */
  error: 'Rpc-Error',
  /** Bytes of a body that follows in parts. The message's reply subject receives credit. */
  transfer: 'Rpc-Transfer',
  /** Further bytes that the receiver accepts. The message's reply subject receives the parts. */
  credit: 'Rpc-Credit',
  /** Offset of a part in its body. */
  part: 'Rpc-Part',
} as const;

export const NO_BODY = new Uint8Array(0);

export const OWN_PREFIX = 'Rpc-';
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The subject of one operation.
 * @throws TypeError for a name that is not one token of a subject
 */
export function operationSubject(namespace: string, service: string, operation: string): string {
  if (!NAME.test(service) || !NAME.test(operation)) throw new TypeError(`not a subject token: ${service}.${operation}`);
  return `${namespace}.rpc.${service}.${operation}`;
}

/** The operation of a message with several requests. */
export const MANY = '-many';

/** The subject of all operations of a service. */
export function serviceSubject(namespace: string, service: string): string {
  if (!NAME.test(service)) throw new TypeError(`not a subject token: ${service}`);
  return `${namespace}.rpc.${service}.*`;
}

/** The last token of a subject: the operation of a request, the exchange of a private subject. */
export function tokenOf(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}

const TOKEN = '[^\\s.*>]+';
const LITERAL = new RegExp(`^${TOKEN}(\\.${TOKEN})*$`);

/**
 * Whether messages can be published to the subject: its tokens are not empty and contain no white space and no
 * wildcards.
 */
export function isLiteral(subject: string): boolean {
  return subject.length <= 255 && LITERAL.test(subject);
}

/** The largest body that fits into one message: the server's `max_payload` without the headers. */
export function wholeBodyBytes(maxPayload: number): number {
  return Math.max(maxPayload - HEADER_BYTES, Math.floor(maxPayload / 2));
}

const HEADER_BYTES = 16 * 1024;

/** The headers of a message: the caller's, then those of the protocol. */
export function encodeHeaders(
  callers: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): MsgHdrs {
  const encoded = createHeaders();
  for (const name of Object.keys(callers)) {
    if (!name.startsWith(OWN_PREFIX)) encoded.append(name, escapeValue(callers[name] ?? ''));
  }
  for (const name of Object.keys(own)) encoded.append(name, own[name] ?? '');
  return encoded;
}

/** The caller's headers of a message, as an object without prototype. */
export function decodeHeaders(message: Msg): Record<string, string> {
  const decoded = Object.create(null) as Record<string, string>;
  for (const [name, values] of message.headers ?? []) {
    if (!name.startsWith(OWN_PREFIX)) decoded[name] = unescapeValue(values[0] ?? '');
  }
  return decoded;
}

const NONE: Readonly<Record<string, string>> = Object.freeze({});

/**
 * The headers of the protocol in a message. The client's `has` and `get` look at all headers each time, and copy their
 * names.
 */
export function ownHeaders(message: Msg): Readonly<Record<string, string>> {
  let own: Record<string, string> | undefined;
  for (const [name, values] of message.headers ?? []) {
    if (name.startsWith(OWN_PREFIX)) (own ??= {})[name] = values[0] ?? '';
  }
  return own ?? NONE;
}

/** A whole number from `least` to `most` in a header; undefined for anything else. */
export function numberHeader(message: Msg, name: string, least: number, most: number): number | undefined {
  return numberIn(ownHeaders(message), name, least, most);
}

/** The same of headers that have been read. */
export function numberIn(
  own: Readonly<Record<string, string>>,
  name: string,
  least: number,
  most: number,
): number | undefined {
  const text = own[name] ?? '';
  if (!/^\d{1,12}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

/** Header values are lines and are trimmed, so characters that would be lost are percent-encoded. */
function escapeValue(value: string): string {
  return HARMED.test(value) ? value.replace(HARMED_EACH, (text) => encodeURIComponent(text)) : value;
}

function unescapeValue(value: string): string {
  if (!value.includes('%')) return value;
  return value.replace(/%(25|0D|0A|09|20)/g, (text) => decodeURIComponent(text));
}

const HARMED = /[%\r\n\t]|^ | $/;
const HARMED_EACH = /[%\r\n\t]|^ +| +$/g;

const decoder = new TextDecoder();

/** The JSON in bytes that another process sent; undefined for anything else. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

const MAX_DETAILS = 100;
const MAX_TEXT = 1000;

/** The body of an error message. Its reason is sent in a header. */
export function encodeError(error: AppError): Uint8Array {
  const details = error.details.slice(0, MAX_DETAILS).map(({ path, message }) => ({
    path: path.slice(0, MAX_TEXT),
    message: message.slice(0, MAX_TEXT),
  }));
  const { retryAfter } = error;
  const replayed = error.replayed ? true : undefined;
  return Buffer.from(JSON.stringify({ message: error.message.slice(0, MAX_TEXT), details, retryAfter, replayed }));
}

/**
 * The error that the other side threw. A reason that this version does not know, or a malformed body, becomes
 * `unexpected`: nothing that another process sends is trusted to be well-formed.
 */
export function decodeError(reason: string, body: Uint8Array): AppError {
  const known: Reason = isReason(reason) ? reason : 'unexpected';
  const fields = parseJson(body);
  if (typeof fields !== 'object' || fields === null || known !== reason) return new AppError(known);
  const { message, retryAfter, replayed, details } = fields as Record<string, unknown>;
  return new AppError(known, detailsOf(details), {
    ...(typeof message === 'string' ? { message: message.slice(0, MAX_TEXT) } : {}),
    ...(typeof retryAfter === 'number' && Number.isFinite(retryAfter) ? { retryAfter } : {}),
    ...(replayed === true ? { replayed } : {}),
  });
}

function detailsOf(value: unknown): ErrorDetail[] {
  if (!Array.isArray(value)) return [];
  const details: ErrorDetail[] = [];
  for (const item of value.slice(0, MAX_DETAILS) as unknown[]) {
    if (typeof item !== 'object' || item === null || !('path' in item) || !('message' in item)) continue;
    const { path, message } = item;
    if (typeof path === 'string' && typeof message === 'string') details.push({ path, message });
  }
  return details;
}

/** The error for a caller while the other side cannot be reached. */
export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', [], { message, cause, retryAfter: 1 });
}

/** The error for a body beyond the limit. */
export function tooLarge(bytes: number, limit: number): AppError {
  return new AppError('too_large', [], { message: `${bytes} bytes are more than the limit of ${limit}` });
}
