/**
 * The text of a token: `scr_pat_` for a personal token or `scr_scim_` for a SCIM token, an id of 8 characters, `_`, a
 * secret of 40 and a checksum of 6, all in base62. The checksum detects typing errors and lets scanners for leaked
 * secrets verify a token. It does not protect against forgery.
 */

/** The digits of base62 in the order of their values. */
export const base62Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefixes = { personal: 'scr_pat_', scim: 'scr_scim_' } as const;
const checksumLength = 6;
const shape = /^scr_(pat|scim)_([0-9A-Za-z]{8})_[0-9A-Za-z]{46}$/;

/** The kinds of token that have this form. */
export type FormattedToken = keyof typeof prefixes;

/** The length of every personal token. */
export const tokenLength = 63;

/** What the text of a token contains. */
export interface ParsedToken {
  kind: FormattedToken;
  id: string;
}

/**
 * The token of an id (8 base62 characters) and a secret (40), with its checksum.
 * @throws RangeError when one of them is malformed; the message repeats neither
 */
export function formatToken(id: string, secret: string, kind: FormattedToken = 'personal'): string {
  const body = `${prefixes[kind]}${id}_${secret}`;
  const token = body + checksum(body);
  if (!shape.test(token)) throw new RangeError('A token needs an id of 8 and a secret of 40 base62 characters');
  return token;
}

/** Parses a token; null when its form or checksum is wrong. */
export function parseToken(text: string): ParsedToken | null {
  const [, name, id] = shape.exec(text) ?? [];
  if (id === undefined) return null;
  const body = text.slice(0, -checksumLength);
  return text.endsWith(checksum(body)) ? { kind: name === 'scim' ? 'scim' : 'personal', id } : null;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumLength; place += 1) {
    digits = base62Alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 (ISO-HDLC, as in zip) of ASCII text, as an unsigned number. */
export function crc32(text: string): number {
  let value = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) {
    value = (table[(value ^ text.charCodeAt(at)) & 0xff] ?? 0) ^ (value >>> 8);
  }
  return (value ^ 0xffffffff) >>> 0;
}
