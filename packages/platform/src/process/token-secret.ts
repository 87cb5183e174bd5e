import { createHash, randomInt } from 'node:crypto';
import { base62Alphabet, formatToken, type FormattedToken } from '@scriptorium/contracts';

function random(length: number): string {
  return Array.from({ length }, () => base62Alphabet.charAt(randomInt(base62Alphabet.length))).join('');
}

export interface NewSecret {
  /** The public part, which is the id of the token. */
  id: string;
  /** The whole token. It is shown once and never stored. */
  token: string;
  hash: string;
}

/** SHA-256 of a token as lower-case hexadecimal: the only form in which it is stored. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A new personal API token. Its secret has 238 random bits. */
export function newPersonalToken(): NewSecret {
  return newToken('personal');
}

/** A new token of a kind that `formatToken` knows. Its secret has 238 random bits. */
export function newToken(kind: FormattedToken): NewSecret {
  const id = random(8);
  const token = formatToken(id, random(40), kind);
  return { id, token, hash: hashToken(token) };
}
