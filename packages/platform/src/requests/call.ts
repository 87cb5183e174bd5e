import { createHash } from 'node:crypto';
import { wireHeader, type Principal, type ResourceAccess, type TokenKind } from '@scriptorium/contracts';
import type { CommandContext } from '@scriptorium/event-sourcing';
import { derivedId, newId } from '../process/ids.js';
import type { Scope } from '../scope/scope.js';
import type { WireRequest } from '../handlers/exchange.js';
import type { CachedResponse } from '../handlers/results.js';
import type { Call, InternalCall, ResponseKey } from '../handlers/handles.js';

/** Of a request, what does not come from the service. */
export type Request = Pick<
  InternalCall,
  'operation' | 'requestId' | 'deadline' | 'idempotencyKey' | 'waitSeconds' | 'traceparent' | 'client'
> & { principal: Principal | null };

/**
 * Reads the headers of a request, but for the conditions. `isKeyed`: whether an idempotency key means anything to it.
 */
export function requestOf<P extends Principal | null>(
  { operation, headers, deadline }: WireRequest,
  principal: P,
  isKeyed = true,
): Request & { principal: P } {
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

/** By what somebody acts who does not use a token of their own. */
const sources: Partial<Record<TokenKind, string>> = {
  session: 'ui',
  integration: 'integration',
  installation: 'integration',
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

/** Visitors stay unknown: nothing that is recorded names them. */
function actorOf({ principal, operation }: Request): CommandContext['actor'] {
  if (principal === null || principal.kind === 'visitor') return { kind: 'system', id: operation };
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
    traceparent: request.traceparent,
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
  request: Request & { principal: Principal },
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
