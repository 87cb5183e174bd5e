import { parseToken } from '@scriptorium/contracts';
import { hashToken, newPersonalToken } from '@scriptorium/platform/token-secret';

/** A new personal token. */
export function newToken(): string {
  return newPersonalToken().token;
}

/** What may cross the wire of a token: its id and the SHA-256 of all of it. @throws RangeError when it is none. */
export function publicPart(token: string): { id: string; hash: string } {
  const parsed = parseToken(token);
  if (parsed === null) throw new RangeError('Not a personal token');
  return { id: parsed.id, hash: hashToken(token) };
}
