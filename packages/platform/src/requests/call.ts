import { createHash } from 'node:crypto';
import {
  AppError,
  parseTypes,
  wireHeader,
  type Principal,
  type ResourceAccess,
  type TokenKind,
  type TypePositions,
} from '@scriptorium/contracts';
import type { CommandContext, Store } from '@scriptorium/event-sourcing';
import { derivedId, newId } from '../process/ids.js';
import type { Scope } from '../scope/scope.js';
import type { WireRequest } from '../handlers/exchange.js';
import type { CachedResponse } from '../handlers/answers.js';
import type { Call, InternalCall, RequestFacts, ResponseKey } from '../handlers/handles.js';

/** A request as it was received, but for its input and conditions. */
export interface Request<P extends Principal | null = Principal | null> extends RequestFacts {
  principal: P;
  /** Trace context (W3C). */
  traceparent: string | undefined;
}

/**
 * Reads the headers of a request, but for the conditions. `isKeyed`: whether an idempotency key means anything to it.
 */
export function requestOf<P extends Principal | null>(
  { operation, headers, deadline }: WireRequest,
  principal: P,
  isKeyed = true,
): Request<P> {
  return {
    operation,
    requestId: headers[wireHeader.requestId] ?? '',
    deadline,
    idempotencyKey: isKeyed ? headers[wireHeader.idempotencyKey] : undefined,
    waitSeconds: Number(headers[wireHeader.wait] ?? 0),
    traceparent: headers[wireHeader.traceparent],
    client: {
      address: headers[wireHeader.clientAddress],
      agent: headers[wireHeader.clientAgent],
      session: headers[wireHeader.session],
      browser: headers[wireHeader.browser],
    },
    principal,
  };
}

/** The conditions of a request besides its input. The gateway has checked their format. */
export interface Conditions {
  /** Entity tags, one of which the resource must have, or `*`. */
  ifMatch: readonly string[] | undefined;
  /** The position up to which the read models must be. */
  after: bigint | undefined;
  /** Positions of events that the caller recorded in other services, by type. The read models must contain them. */
  afterTypes: TypePositions;
  /** The moment or position at which the resource is shown. */
  asOf: string | undefined;
  /** Whether the request is a dry run. */
  dry: boolean;
}

/** Reads the conditions from the headers between gateway and service. */
export function conditionsOf(headers: Readonly<Record<string, string>>): Conditions {
  const {
    [wireHeader.ifMatch]: ifMatch,
    [wireHeader.after]: after,
    [wireHeader.afterTypes]: afterTypes,
    [wireHeader.asOf]: asOf,
    [wireHeader.dryRun]: dry,
  } = headers;
  return {
    ifMatch: ifMatch?.split(','),
    after: after === undefined ? undefined : BigInt(after),
    afterTypes: parseTypes(afterTypes),
    asOf,
    dry: dry === 'true',
  };
}

const waitForMs = 2_000;

/**
 * Waits until the read models contain what the request requires, and what the caller has recorded in other services.
 * @throws AppError `unavailable` when they do not in time, `invalid_request` for a position that the log has not
 * reached
 */
export async function asNewAs(
  store: Pick<Store, 'waitForPosition' | 'waitForTypes'>,
  { after, afterTypes }: Pick<Conditions, 'after' | 'afterTypes'>,
  deadline: number,
): Promise<void> {
  if (afterTypes.size > 0) await store.waitForTypes(afterTypes, deadline);
  if (after !== undefined) await requirePosition(store, after);
}

async function requirePosition(store: Pick<Store, 'waitForPosition'>, after: bigint): Promise<void> {
  const outcome = await store.waitForPosition(after, waitForMs);
  if (outcome === 'reached') return;
  if (outcome === 'late')
    throw new AppError('unavailable', [], {
      message: 'The answer would be older than Scriptorium-After asks for',
      retryAfter: 1,
    });
  const message = 'Must be a position of a Scriptorium-Position header';
  throw new AppError('invalid_request', [{ path: 'headers.scriptorium-after', message }], {
    message: `Scriptorium-After: ${message}`,
  });
}

/** By what somebody acts who does not use a token of their own. */
const sources: Partial<Record<TokenKind, string>> = {
  session: 'ui',
  integration: 'integration',
  installation: 'integration',
  scim: 'api',
};

/** What is recorded beside the events of a request. `organization`: the one that its path names, if it names one. */
export function commandOf(request: Request, organization: string | null): CommandContext {
  const { principal, operation, requestId, deadline, traceparent } = request;
  const idem = idempotency(request);
  const source = principal === null ? undefined : sources[principal.token.kind];
  return {
    actor: actorOf(request),
    organization,
    operation,
    correlation: requestId,
    deadline,
    ...(idem === undefined ? {} : { idem }),
    ...(traceparent === undefined ? {} : { trace: traceparent }),
    ...(source === undefined ? {} : { source }),
  };
}

/** Visitors stay unknown: nothing that is recorded names them. Of an identity provider the SCIM token is named. */
function actorOf({ principal, operation }: Request): CommandContext['actor'] {
  if (principal === null || principal.kind === 'visitor') return { kind: 'system', id: operation };
  if (principal.kind === 'provisioner') return { kind: 'system', id: `scim-token-${principal.id}` };
  return { kind: principal.kind === 'user' ? 'user' : 'integration', id: principal.id };
}

/** The client's key bound to caller and operation, hashed: keys of different callers never meet. */
function idempotency({ idempotencyKey, principal, operation }: Request): string | undefined {
  if (idempotencyKey === undefined) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([principal?.id, operation, idempotencyKey]))
    .digest('base64url');
}

/**
 * What a handler without a caller works with, made with the scope of the request. Its fields are listed: a scope that
 * is copied and then added to takes a tenth of the time of a read.
 */
export function requestCall(scope: Scope, request: Request): InternalCall {
  return {
    store: scope.store,
    database: scope.database,
    runs: scope.runs,
    workers: scope.workers,
    outbound: scope.outbound,
    messaging: scope.messaging,
    cursors: scope.cursors,
    keys: scope.keys,
    logger: scope.logger,
    now: scope.now,
    urls: scope.urls,
    limits: scope.limits,
    quotas: scope.quotas,
    isLive: scope.isLive,
    forgetAnswers: scope.forgetAnswers,
    operation: request.operation,
    requestId: request.requestId,
    deadline: request.deadline,
    idempotencyKey: request.idempotencyKey,
    waitSeconds: request.waitSeconds,
    caller: request.principal,
    client: request.client,
    idFor(what) {
      const { idem } = scope.store.context;
      return idem === undefined ? newId() : derivedId(idem, what);
    },
  };
}

/** Makes a response for a key, or takes it from the cache. */
export type CachedFor = <T>(
  key: string,
  scope: Scope,
  make: (scope: Scope) => Promise<T | CachedResponse<T>>,
) => Promise<CachedResponse<T>>;

/**
 * What a handler works with for a caller whose access was checked. `tagOf`: the operation for whose entity tag it is
 * called, if it is.
 */
export function admittedCall(
  scope: Scope,
  request: Request<Principal>,
  { access, cached, tagOf }: { access: ResourceAccess; cached: CachedFor; tagOf: string | undefined },
): Call {
  const { principal } = request;
  const operation = tagOf ?? request.operation;
  const isForTag = tagOf !== undefined;
  return Object.assign(requestCall(scope, request), {
    operation,
    principal,
    isForTag,
    access,
    cached: <T>({ of, forAll }: ResponseKey, make: (scope: Scope) => Promise<T | CachedResponse<T>>) => {
      const rights = forAll === true ? [] : [principal.id, access.role, ...access.relations];
      return cached(JSON.stringify([operation, isForTag, of, ...rights]), scope, make);
    },
  });
}

/**
 * Tries work again as long as something else was faster, which the work tells by `moved`.
 * @throws AppError `conflict` when the deadline of the call comes first, and whatever the work throws
 */
export async function untilDeadline<T>(
  call: Pick<InternalCall, 'now' | 'deadline'>,
  work: () => Promise<T | 'moved'>,
): Promise<T> {
  for (;;) {
    const done = await work();
    if (done !== 'moved') return done;
    if (call.now() >= call.deadline) throw new AppError('conflict', [], { retryAfter: 1 });
  }
}
