import { AppError } from '@scriptorium/contracts';

/** The refusal of a token that is not valid. */
export function invalidToken(): AppError {
  return new AppError('unauthenticated', [], { message: 'Invalid token' });
}

const bearer = /^bearer +(\S+) *$/i;

/**
 * The token of an `Authorization` header. @throws `unauthenticated` without a header, or for another scheme than Bearer
 */
export function bearerToken(header: string | undefined): string {
  if (header === undefined) throw new AppError('unauthenticated');
  const token = header.startsWith('Bearer ') ? header.slice(7).trim() : bearer.exec(header)?.[1];
  if (token === undefined) throw invalidToken();
  return token;
}
