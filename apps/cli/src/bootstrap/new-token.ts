import { createHash, randomInt } from 'node:crypto';
import { formatToken, parseToken } from '@scriptorium/contracts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new personal token (decisions 1.2.d); its secret carries 238 bits. */
export function newToken(): string {
  return formatToken(randomBase62(8), randomBase62(40));
}

/** What may cross the wire of a token: its id and the SHA-256 of all of it. @throws RangeError when it is none. */
export function publicPart(token: string): { id: string; hash: string } {
  const parsed = parseToken(token);
  if (parsed === null) throw new RangeError('Not a personal token');
  return { id: parsed.id, hash: createHash('sha256').update(token).digest('hex') };
}

function randomBase62(length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
