import { createHash, timingSafeEqual } from 'node:crypto';
import { type NatsAuth } from './options.js';

/** Fields of CONNECT that hold credentials. */
export interface Credentials {
  readonly user?: unknown;
  readonly pass?: unknown;
  readonly auth_token?: unknown;
}

/** Whether the credentials open this server. Compares in constant time. */
export function isAuthorized(auth: NatsAuth | undefined, given: Credentials): boolean {
  if (auth === undefined) return true;
  if ('token' in auth) return same(auth.token, given.auth_token);
  const user = same(auth.user, given.user);
  return same(auth.password, given.pass) && user;
}

function same(expected: string, given: unknown): boolean {
  return typeof given === 'string' && timingSafeEqual(digest(expected), digest(given));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
