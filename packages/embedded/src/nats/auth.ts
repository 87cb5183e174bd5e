import { type Authentication, comparing } from '../authentication.js';

/** Fields of CONNECT that hold credentials. */
export interface ConnectCredentials {
  readonly user?: unknown;
  readonly pass?: unknown;
  readonly auth_token?: unknown;
}

/** Whom a server lets in: one user with a password, whoever has one token, or everybody on this machine. */
export type NatsAuthentication = Authentication | { readonly token: string };

/** Whether the credentials of a CONNECT open the server. Compares in the same time wherever they differ. */
export type Admits = (given: ConnectCredentials) => boolean;

export function admitting(auth: NatsAuthentication): Admits {
  if (auth === 'none') return () => true;
  if ('token' in auth) {
    const isToken = comparing(auth.token);
    return ({ auth_token: token }) => isToken(token);
  }
  const [isUser, isPassword] = [comparing(auth.user), comparing(auth.password)];
  return ({ user, pass }) => {
    const rightUser = isUser(user);
    return isPassword(pass) && rightUser;
  };
}
