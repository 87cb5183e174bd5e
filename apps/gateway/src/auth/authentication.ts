import { performance } from 'node:perf_hooks';
import { AppError, type Operation, refuseToken, tokenMessage } from '@scriptorium/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, Caller } from './authenticator.js';
import { credentialOf, type Credential } from './credential.js';
import type { SessionCookie } from './cookies.js';
import type { Hook } from '../http/accept.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null until the caller is known. */
    caller: Caller | null;
    /** Why the caller is not known; null when the caller is known or does not matter. */
    authError: AppError | null;
    /** Milliseconds of the deadline that it took to find the caller. */
    authenticationMs: number;
  }
  interface FastifyContextConfig {
    /** A route for identity providers, which take SCIM tokens and no others. */
    provisioning?: boolean;
  }
}

export interface AuthenticationDeps {
  authenticators: Readonly<Record<Credential['kind'], Authenticator>>;
  cookie: SessionCookie;
}

/**
 * Finds who makes a request and sets `request.caller`, or `request.authError` when that fails; then calls `done`, once.
 * A session whose secret changed gets its new cookie.
 */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** Builds the authentication of requests. */
export function createAuthentication({ authenticators, cookie }: AuthenticationDeps): Authenticate {
  const accept = (request: FastifyRequest, reply: FastifyReply, caller: Caller): void => {
    // An identity provider gets nothing else with its token, not even what everybody gets.
    if (caller.principal.kind === 'provisioner' && request.routeOptions.config.provisioning !== true) {
      request.authError = new AppError('forbidden', [], { message: 'A SCIM token can be used for SCIM alone' });
      return;
    }
    request.caller = caller;
    if (caller.renewed !== undefined) cookie.put(reply, caller.renewed);
  };
  return (request, reply, done) => {
    // Requests whose path cannot be read do not have the fields that all other requests are made with.
    request.caller = null;
    request.authError = null;
    const credential = tryCredential(request.routeOptions.config.operation, cookie, request);
    if (credential instanceof AppError) {
      request.authError = credential;
      return done();
    }
    const authenticator = authenticators[credential.kind];
    const known = authenticator.known(credential.text);
    if (known !== undefined) {
      accept(request, reply, known);
      return done();
    }
    const start = performance.now();
    const found = (caller: Caller): void => {
      request.authenticationMs = performance.now() - start;
      accept(request, reply, caller);
    };
    const failed = (error: AppError): void => void (request.authError = error);
    authenticator.ask(credential.text).then(found, failed).then(done, done);
  };
}

function tryCredential(
  op: Operation | undefined,
  cookie: SessionCookie,
  request: FastifyRequest,
): Credential | AppError {
  try {
    return credentialOf(op, cookie, request);
  } catch (error) {
    return error as AppError;
  }
}

/**
 * Refuses callers whose token does not have the kind and scope that an operation asks for. Operations that need no
 * token accept everybody. The service checks everything else.
 */
export function requireToken({ access }: Operation): Hook {
  if (access.tokens.length === 0) return (_request, _reply, done) => done();
  return ({ caller, authError }, _reply, done) => {
    if (caller === null && authError !== null) return done(authError);
    const refused = refuseToken(access, caller?.principal ?? null);
    if (refused === null) return done();
    const message = caller === null ? undefined : tokenMessage(access, caller.principal);
    done(new AppError(refused, [], message === undefined ? {} : { message }));
  };
}
