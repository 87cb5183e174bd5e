import { type IncomingHttpHeaders } from 'node:http2';
import { type Authentication, comparing } from '../../authentication.js';
import { RpcError, Status } from './status.js';

/** Decides whether a call may go on. @returns the refusal, or undefined */
export type Authorize = (headers: IncomingHttpHeaders) => RpcError | undefined;

/**
 * What a real node lets everybody ask who can reach it: the official client sends no credentials with these. They tell
 * nothing but the version of the protocol and the address that the caller has already.
 */
const OPEN_METHODS: ReadonlySet<string> = new Set([
  '/event_store.client.server_features.ServerFeatures/GetSupportedMethods',
  '/event_store.client.gossip.Gossip/Read',
]);

/** Basic authentication of each call, with the answers of a node that has users and admits nobody else to streams. */
export function basicAuthorization(authentication: Authentication): Authorize {
  if (authentication === 'none') return () => undefined;
  const { user, password } = authentication;
  const isRight = comparing(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
  return ({ authorization, ':path': path = '' }) => {
    if (authorization !== undefined)
      return isRight(authorization) ? undefined : new RpcError(Status.unauthenticated, 'Unauthenticated');
    if (OPEN_METHODS.has(path)) return undefined;
    return new RpcError(Status.permissionDenied, 'Access Denied', { exception: 'access-denied' });
  };
}
