import { createHash, randomInt } from 'node:crypto';
import { formatToken } from '@scriptorium/contracts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function random(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(62)]).join('');
}

export interface NewSecret {
  /** Public part, also the token's id. */
  id: string;
  /** The whole token: shown once, never kept. */
  token: string;
  hash: string;
}

/** SHA-256 of a token as lower-case hexadecimal: the only form in which it is stored. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A new personal API token (decisions 1.2.d). */
export function newPersonalToken(): NewSecret {
  const id = random(8);
  const token = formatToken(id, random(40));
  return { id, token, hash: hashToken(token) };
}
