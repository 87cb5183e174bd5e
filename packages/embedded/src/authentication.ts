import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The one user of an embedded server. */
export interface ServerCredentials {
  readonly user: string;
  readonly password: string;
}

/**
 * Who may use an embedded server: whoever knows the credentials, or everybody on this machine (`none`). `none` is for
 * specs and measurements; nothing that holds data of people may use it.
 */
export type Authentication = ServerCredentials | 'none';

/**
 * Printable ASCII: no protocol here has to normalise, escape or cut it. `:` divides user and password in basic
 * authentication.
 */
const userForm = /^[!-9;-~]{1,128}$/;
const passwordForm = /^[ -~]{1,128}$/;

/** New credentials with a password of 256 random bits. */
export function randomCredentials(): ServerCredentials {
  return { user: 'scriptorium', password: randomBytes(32).toString('base64url') };
}

/**
 * What a server demands: what it was told, or random credentials, which only its `url` carries.
 * @throws TypeError for credentials of another form; the message does not repeat them
 */
export function authenticationOf(given: Authentication | undefined): Authentication {
  if (given === undefined) return randomCredentials();
  if (given === 'none') return given;
  if (!userForm.test(given.user)) throw new TypeError('the user must be 1 to 128 printable ASCII characters without :');
  if (!passwordForm.test(given.password))
    throw new TypeError('the password must be 1 to 128 printable ASCII characters');
  return given;
}

/** The part of a URL that carries the credentials, `user:password@`; empty for `none`. */
export function userInfo(authentication: Authentication): string {
  if (authentication === 'none') return '';
  return `${encodeURIComponent(authentication.user)}:${encodeURIComponent(authentication.password)}@`;
}

/** Compares what clients give with a secret, in the same time wherever the two differ. */
export function comparing(secret: string): (given: unknown) => boolean {
  const expected = digest(secret);
  return (given) => typeof given === 'string' && timingSafeEqual(expected, digest(given));
}

/**
 * Credentials of `SERVER_USER` and `SERVER_PASSWORD`: other users of the machine can read arguments of processes, but
 * not their environments.
 */
export function authenticationOfEnvironment(): ServerCredentials | undefined {
  const { SERVER_USER: user = 'scriptorium', SERVER_PASSWORD: password = '' } = process.env;
  return password === '' ? undefined : { user, password };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
