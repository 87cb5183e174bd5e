import { parseToken } from '@scriptorium/contracts';
import { hashToken, newPersonalToken } from '@scriptorium/platform/token-secret';

/** Creates a personal token. */
export function newToken(): string {
  return newPersonalToken().token;
}

/**
 * The parts of a token that are sent to a service: its id, and the SHA-256 of the whole token.
 * @throws RangeError for a malformed token
 */
export function publicPart(token: string): { id: string; hash: string } {
  const parsed = parseToken(token);
  if (parsed === null) throw new RangeError('Not a personal token');
  return { id: parsed.id, hash: hashToken(token) };
}
