import { headers as createHeaders, type Msg, type MsgHdrs } from '@nats-io/transport-node';

/**
 * Headers of this protocol. Everything else in a message's headers belongs to the caller; names that
 * begin with `Rpc-` are kept from it in both directions.
 */
export const wire = {
  /** Milliseconds the requester still waits. */
  deadline: 'Rpc-Deadline',
  /** Reason of a refusal; the body is its JSON. */
  error: 'Rpc-Error',
  /** Bytes of a body that follows in parts; the message's reply subject takes credit. */
  transfer: 'Rpc-Transfer',
  /** Further bytes the receiver takes; the message's reply subject takes the parts. */
  credit: 'Rpc-Credit',
  /** Offset of a part in its body. */
  part: 'Rpc-Part',
} as const;

export const NO_BODY = new Uint8Array(0);

const OWN_PREFIX = 'Rpc-';
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Subject of one operation. Throws a TypeError for a name that is not one subject token. */
export function operationSubject(namespace: string, service: string, operation: string): string {
  if (!NAME.test(service) || !NAME.test(operation)) throw new TypeError(`not a subject token: ${service}.${operation}`);
  return `${namespace}.rpc.${service}.${operation}`;
}

/** Subject of every operation of a service. */
export function serviceSubject(namespace: string, service: string): string {
  if (!NAME.test(service)) throw new TypeError(`not a subject token: ${service}`);
  return `${namespace}.rpc.${service}.*`;
}

/** Headers for the wire: the caller's, then the protocol's own. */
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

/** A whole number of at least `least` and at most `most` from a header, else undefined. */
export function numberHeader(message: Msg, name: string, least: number, most: number): number | undefined {
  const text = message.headers?.get(name) ?? '';
  if (!/^\d{1,12}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

/** Header values travel as lines and are trimmed on the way: what that would harm is percent-encoded. */
function escapeValue(value: string): string {
  return HARMED.test(value) ? value.replace(HARMED_EACH, (text) => encodeURIComponent(text)) : value;
}

function unescapeValue(value: string): string {
  if (!value.includes('%')) return value;
  return value.replace(/%(25|0D|0A|09|20)/g, (text) => decodeURIComponent(text));
}

const HARMED = /[%\r\n\t]|^ | $/;
const HARMED_EACH = /[%\r\n\t]|^ +| +$/g;
