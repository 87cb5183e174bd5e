import { performance } from 'node:perf_hooks';
import { AppError, type Operation } from '@scriptorium/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, Caller } from '../auth/authenticator.js';
import { credentialOf, type Credential } from '../auth/credential.js';
import type { SessionCookie } from '../auth/session-cookie.js';
import type { Hook } from '../http/hook.js';
import type { Taken } from './buckets.js';
import { rateHeaders, tooMany, type Bearer, type Rates } from './rates.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null while nobody knows. */
    caller: Caller | null;
    /** Why nobody knows who calls; null for those who are known, and where it does not matter. */
    stranger: AppError | null;
    /** Milliseconds of the deadline that finding the caller took. */
    authenticationMs: number;
  }
}

export interface CountingDeps {
  authenticator: Authenticator;
  /** As `authenticator`, for sessions. */
  sessions: Authenticator;
  cookie: SessionCookie;
  rates: Pick<Rates, 'take'>;
}

/** How a counted request stands: what the answer says of it, and the refusal if it came too early. */
export interface Counted {
  headers: Readonly<Record<string, string>>;
  refused: AppError | undefined;
}

/** The one place where requests are counted, whatever they are for (decisions 1.1). */
export interface Counting {
  /** Finds who makes a request, counts it against their rate, and says in the answer how they stand. */
  count: Hook;
  /** Counts what hardly is a request, and comes from nobody but an address. */
  countAddress: (address: string | undefined) => Counted;
}

export function createCounting({ authenticator, sessions, cookie, rates }: CountingDeps): Counting {
  const take = (bearer: Bearer, op?: Operation, requests?: number): Counted => counted(rates.take(bearer, op?.rate ?? 'ordinary', requests));
  const meet = (request: FastifyRequest, reply: FastifyReply, op: Operation | undefined, caller: Caller): AppError | undefined => {
    request.caller = caller;
    if (caller.renewed !== undefined) cookie.put(reply, caller.renewed);
    return told(reply, take({ token: caller.principal.token.id }, op));
  };
  /** Whoever tries tokens is counted by address. That nobody can tell who it is, is not their doing: an operation, which refuses them for that, takes nothing. */
  const miss = (request: FastifyRequest, reply: FastifyReply, op: Operation | undefined, stranger: AppError): AppError | undefined => {
    request.stranger = stranger;
    const free = op !== undefined && stranger.reason === 'unavailable';
    return told(reply, take({ address: request.ip }, op, free ? 0 : 1));
  };
  const count: Hook = (request, reply, done) => {
    const { operation: op } = request.routeOptions.config;
    if (isPreflight(request)) return done(told(reply, take({ preflights: request.ip })));
    if (op !== undefined && isAnonymous(op, request)) return done(told(reply, take({ address: request.ip }, op)));
    const credential = tryCredential(op, cookie, request);
    if (credential instanceof AppError) return done(miss(request, reply, op, credential));
    const asked = credential.kind === 'session' ? sessions : authenticator;
    const known = asked.known(credential.text);
    if (known !== undefined) return done(meet(request, reply, op, known));
    const start = performance.now();
    asked.ask(credential.text).then(
      (caller) => {
        request.authenticationMs = performance.now() - start;
        done(meet(request, reply, op, caller));
      },
      (error: AppError) => done(miss(request, reply, op, error)),
    );
  };
  return { count, countAddress: (address) => take({ address: address ?? '' }) };
}

function isPreflight({ method, raw: { headers } }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.authorization === undefined && headers['access-control-request-method'] !== undefined;
}

/** What lets people in is counted by address, whatever token is shown: it is there to be tried. */
function isAnonymous({ access, kind }: Operation, { raw: { headers } }: FastifyRequest): boolean {
  return access.tokens.length === 0 && (kind === 'write' || headers.authorization === undefined);
}

function counted(taken: Taken | undefined): Counted {
  if (taken === undefined) return { headers: {}, refused: undefined };
  return { headers: rateHeaders(taken), refused: taken.waitMs > 0 ? tooMany(taken) : undefined };
}

function told(reply: FastifyReply, { headers, refused }: Counted): AppError | undefined {
  reply.headers(headers);
  return refused;
}

function tryCredential(op: Operation | undefined, cookie: SessionCookie, request: FastifyRequest): Credential | AppError {
  try {
    return credentialOf(op, cookie, request);
  } catch (error) {
    return error as AppError;
  }
}
