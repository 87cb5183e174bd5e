import { performance } from 'node:perf_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, refuseToken, type Operation } from '@scriptorium/contracts';
import { refuseRate, type Bearer, type Rates } from '../rates/rates.js';
import type { Authenticator, Caller } from './authenticator.js';
import { credentialOf, type Credential } from './credential.js';
import type { SessionCookie } from './session-cookie.js';

export interface AuthenticationDeps {
  authenticator: Authenticator;
  /** As `authenticator`, for sessions. */
  sessions: Authenticator;
  cookie: SessionCookie;
  rates: Pick<Rates, 'take'>;
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** Finds the caller, counts the request against their rate and checks token kind and scope; the service checks the rest (ruling 10). */
export function authentication(op: Operation, { authenticator, sessions, cookie, rates }: AuthenticationDeps): Hook {
  const count = (reply: FastifyReply, bearer: Bearer): AppError | undefined => refuseRate(rates, reply, bearer, op.rate);
  const countAddress = (request: FastifyRequest, reply: FastifyReply): AppError | undefined => count(reply, { address: request.ip });
  if (op.access.tokens.length === 0) return (request, reply, done) => done(countAddress(request, reply));
  const admit = (request: FastifyRequest, reply: FastifyReply, caller: Caller): AppError | undefined => {
    const refused = refuseToken(op.access, caller.principal);
    request.caller = caller;
    if (caller.renewed !== undefined) cookie.put(reply, caller.renewed);
    return count(reply, { token: caller.principal.token.id }) ?? (refused === null ? undefined : new AppError(refused));
  };
  return (request, reply, done) => {
    const credential = tryCredential(op, cookie, request);
    if (credential instanceof AppError) return done(countAddress(request, reply) ?? credential);
    const asked = credential.kind === 'session' ? sessions : authenticator;
    const known = asked.known(credential.text);
    if (known !== undefined) return done(admit(request, reply, known));
    const start = performance.now();
    asked.ask(credential.text).then(
      (caller) => {
        request.authenticationMs = performance.now() - start;
        done(admit(request, reply, caller));
      },
      // Whoever tries tokens is counted by address.
      (error: Error) => done((error instanceof AppError && error.reason === 'unauthenticated' ? countAddress(request, reply) : undefined) ?? error),
    );
  };
}

function tryCredential(op: Operation, cookie: SessionCookie, request: FastifyRequest): Credential | AppError {
  try {
    return credentialOf(op, cookie, request);
  } catch (error) {
    return error as AppError;
  }
}
