import type { AppError, Operation, Principal } from '@scriptorium/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '../auth/authentication.js';
import { clientAddress, type Hook } from '../http/accept.js';
import type { Taken } from './buckets.js';
import { limitOf, rateHeaders, tooMany, type RateKey, type RateLimit, type Rates } from './rates.js';

export interface CountingDeps {
  authenticate: Authenticate;
  rates: Pick<Rates, 'take'>;
}

/** The outcome of counting a request: headers for its answer, and the refusal if the rate is exceeded. */
export interface Counted {
  headers: Readonly<Record<string, string>>;
  refused: AppError | undefined;
}

/** The one place where requests are counted against a rate, whatever they ask for. */
export interface Counting {
  /** Finds who makes a request, counts it against their rate, and puts the state of that rate into the answer. */
  count: Hook;
  /** Counts bytes that are not a request (no HTTP, CONNECT) against the address that they come from. */
  countAddress: (address: string | undefined) => Counted;
}

/** Builds the counting of requests. */
export function createCounting({ authenticate, rates }: CountingDeps): Counting {
  const take = (key: RateKey, op?: Operation, requests?: number): Counted =>
    counted(rates.take(key, op?.rate ?? 'ordinary', requests), limitOf(key, op?.rate ?? 'ordinary'), op?.batch);
  /**
   * Changes of content have a rate for each space, and new sources one for each specification; both count as ordinary
   * requests, too. The rate is that of one token: nobody can use up what others may write. Visitors who share a content
   * token have a rate for each of their addresses.
   */
  const takeOf = ({ kind, token: { id: token } }: Principal, request: FastifyRequest): Counted => {
    const { routeOptions, params } = request;
    const { operation: op } = routeOptions.config;
    if (kind === 'visitor') return take({ token, visitor: clientAddress(request) }, op);
    const changed = changedBy(op, params as Params);
    if (changed === undefined) return take({ token }, op);
    const ordinary = take({ token });
    return ordinary.refused === undefined ? take({ token, of: changed }, op) : ordinary;
  };
  const count: Hook = (request, reply, done) => {
    const { operation: op } = request.routeOptions.config;
    if (isPreflight(request)) return done(applied(reply, take({ preflights: clientAddress(request) })));
    if (op !== undefined && isAnonymous(op, request))
      return done(applied(reply, take({ address: clientAddress(request) }, op)));
    authenticate(request, reply, () => {
      const { caller } = request;
      if (caller !== null) return done(applied(reply, takeOf(caller.principal, request)));
      done(applied(reply, take({ address: clientAddress(request) }, op, isUnavailable(op, request) ? 0 : 1)));
    });
  };
  return { count, countAddress: (address) => take({ address: address ?? '' }) };
}

/** Counts requests without a caller by the address that they come from. `keyOf`: apart from which others. */
export function countingByAddress(rates: Pick<Rates, 'take'>, keyOf: (address: string) => RateKey): Counting {
  const take = (address: string): Counted => {
    const key = keyOf(address);
    return counted(rates.take(key, 'ordinary'), limitOf(key, 'ordinary'));
  };
  return {
    count: (request, reply, done) => done(applied(reply, take(clientAddress(request)))),
    countAddress: (address) => take(address ?? ''),
  };
}

interface Params {
  spaceId?: string;
  organizationId?: string;
  specSlug?: string;
}

/** What a request changes, if each has a rate of its own. */
function changedBy(op: Operation | undefined, params: Params | null): string | undefined {
  // A path or body that cannot be read has no parameters.
  const { spaceId = '', organizationId = '', specSlug = '' } = params ?? {};
  if (op?.rate === 'content-write') return spaceId;
  return op?.rate === 'spec-write' ? `${organizationId}:${specSlug.toLowerCase()}` : undefined;
}

/**
 * A client cannot help it when identity does not answer: the operation refuses the request with 503 and nothing is
 * counted.
 */
function isUnavailable(op: Operation | undefined, { authError }: FastifyRequest): boolean {
  return op !== undefined && authError?.reason === 'unavailable';
}

function isPreflight({ method, raw: { headers } }: FastifyRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.authorization === undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

/**
 * Operations without a token, sign-in among them, are counted by address whatever token is sent: otherwise a token
 * would let its owner guess passwords.
 */
function isAnonymous({ access, kind }: Operation, { raw: { headers } }: FastifyRequest): boolean {
  return access.tokens.length === 0 && (kind === 'write' || headers.authorization === undefined);
}

/** What a count means for a request that counts against a limit. */
function counted(taken: Taken | undefined, limit: RateLimit, batch?: string): Counted {
  if (taken === undefined) return { headers: {}, refused: undefined };
  return { headers: rateHeaders(taken), refused: taken.waitMs > 0 ? tooMany(taken, limit, batch) : undefined };
}

/** Puts the state of a rate into an answer. */
function applied(reply: FastifyReply, { headers, refused }: Counted): AppError | undefined {
  reply.headers(headers);
  return refused;
}
