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
import type { Call } from '../handlers/handles.js';

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

/**
 * What is recorded beside the events of a request, but for their organization. `isKeyed`: whether an idempotency key
 * means anything to it.
 */
export function commandOf(
  { operation, headers, deadline }: WireRequest,
  principal: Principal | null,
  isKeyed = true,
): Omit<CommandContext, 'organization'> {
  const key = isKeyed ? headers[wireHeader.idempotencyKey] : undefined;
  const trace = headers[wireHeader.traceparent];
  const source = principal === null ? undefined : sources[principal.token.kind];
  return {
    actor: actorOf(principal, operation),
    operation,
    correlation: headers[wireHeader.requestId] ?? '',
    deadline,
    ...(key === undefined ? {} : { idem: hashedKey(principal?.id, operation, key) }),
    ...(trace === undefined ? {} : { trace }),
    ...(source === undefined ? {} : { source }),
  };
}

/** Visitors stay unknown: nothing that is recorded names them. Of an identity provider the SCIM token is named. */
function actorOf(principal: Principal | null, operation: string): CommandContext['actor'] {
  if (principal === null || principal.kind === 'visitor') return { kind: 'system', id: operation };
  if (principal.kind === 'provisioner') return { kind: 'system', id: `scim-token-${principal.id}` };
  return { kind: principal.kind === 'user' ? 'user' : 'integration', id: principal.id };
}

/** The client's key bound to caller and operation, hashed: keys of different callers never meet. */
function hashedKey(caller: string | undefined, operation: string, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([caller, operation, key]))
    .digest('base64url');
}

/** Makes a response for a key, or takes it from the cache. */
export type CachedFor = <T>(
  key: string,
  scope: Scope,
  make: (scope: Scope) => Promise<T | CachedResponse<T>>,
) => Promise<CachedResponse<T>>;

/** What a call is made of besides its scope. */
interface CallParts<P extends Principal | null> {
  request: WireRequest;
  principal: P;
  /** The result of the access check, if there was one. */
  access?: ResourceAccess;
  cached: CachedFor;
  /** The operation for whose entity tag the handler is called, if it is. */
  tagOf?: string | undefined;
}

const noAccess: ResourceAccess = { parentVisible: false, exists: false, relations: new Set() };

/**
 * What the handler of a request works with, made with the scope of the request. Its fields are listed: a scope that is
 * copied and then added to takes a tenth of the time of a read.
 */
export function callOf<P extends Principal | null>(
  scope: Scope,
  { request, principal, access = noAccess, cached, tagOf }: CallParts<P>,
): Call<P> {
  const { headers } = request;
  const operation = tagOf ?? request.operation;
  return {
    store: scope.store,
    database: scope.database,
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
    operation,
    principal,
    access,
    deadline: request.deadline,
    waitSeconds: Number(headers[wireHeader.wait] ?? 0),
    client: {
      address: headers[wireHeader.clientAddress],
      agent: headers[wireHeader.clientAgent],
      session: headers[wireHeader.session],
      browser: headers[wireHeader.browser],
    },
    idFor(what) {
      const { idem } = scope.store.context;
      return idem === undefined ? newId() : derivedId(idem, what);
    },
    cached({ of, forAll }, make) {
      const rights = forAll === true ? [] : [principal?.id, access.role, ...access.relations];
      return cached(JSON.stringify([operation, tagOf !== undefined, of, ...rights]), scope, make);
    },
  };
}

/**
 * Tries work again as long as something else was faster, which the work tells by `moved`.
 * @throws AppError `conflict` when the deadline of the call comes first, and whatever the work throws
 */
export async function untilDeadline<T>(
  call: Pick<Call, 'now' | 'deadline'>,
  work: () => Promise<T | 'moved'>,
): Promise<T> {
  for (;;) {
    const done = await work();
    if (done !== 'moved') return done;
    if (call.now() >= call.deadline) throw new AppError('conflict', [], { retryAfter: 1 });
  }
}
