import {
  AppError,
  decideAccess,
  forbiddenMessage,
  inputSchema,
  isList,
  reachesBeyond,
  refuseToken,
  tokenMessage,
  wireHeader,
  type Principal,
  type ResourceAccess,
  pingOf,
} from '@scriptorium/contracts';
import {
  asAppError,
  type CommandContext,
  type Conditions as StoreConditions,
  type StoreScope,
} from '@scriptorium/event-sourcing';
import type * as z from 'zod';
import type { AccessCheck, AccessResolvers } from '../scope/resource-access.js';
import type { Scope } from '../scope/scope.js';
import { pastOf } from './as-of.js';
import { asNewAs, callOf, commandOf, conditionsOf, type CachedFor } from './call.js';
import { deleted, encode, unlessKnown } from '../handlers/answers.js';
import type { WireReply, WireRequest } from '../handlers/exchange.js';
import type { IdempotencyStore } from '../idempotency/idempotency-store.js';
import { change, withRecorded, type ChangePorts } from './change.js';
import type { Admitted, PreparedEndpoint } from './prepared.js';
import type { ReadPrincipal } from '../tokens/signed-principal.js';
import type { Endpoint } from '../handlers/transport.js';
import { visibilityEndpoint } from './visibility.js';

/** The parts of the service that the dispatcher needs. */
export interface DispatchPorts extends Omit<ChangePorts, 'shownAt'> {
  scope(store: StoreScope): Scope;
  cached: CachedFor;
  idempotency: IdempotencyStore;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Reads and verifies the caller in the header of a request. */
  readPrincipal: ReadPrincipal;
}

interface Dispatching extends DispatchPorts, ChangePorts {}

/**
 * Creates the dispatcher, through which every request of a service goes: parse the input, evaluate the access rule,
 * call the handler, encode the answer.
 * @throws at start when the resource of an operation has no resolver, since nobody may be admitted by default
 */
export function createDispatch(
  endpoints: ReadonlyMap<string, Endpoint>,
  resolvers: AccessResolvers,
  ports: DispatchPorts,
): (request: WireRequest) => Promise<WireReply> {
  const prepared = new Map([...endpoints].map(([id, endpoint]) => [id, prepare(endpoint, resolvers)]));
  const shown = new Map([...prepared.values()].flatMap((endpoint) => shownPath(endpoint)));
  // Every service answers these.
  for (const endpoint of [visibilityEndpoint((id) => prepared.get(id)?.check), pingEndpoint])
    prepared.set(endpoint.operation.id, prepare(endpoint, resolvers));
  const service: Dispatching = { ...ports, shownAt: (path) => shown.get(path) };
  return async (request: WireRequest): Promise<WireReply> => {
    const endpoint = prepared.get(request.operation);
    if (endpoint === undefined) throw new AppError('unavailable');
    const input = parseInput(endpoint.schema, request.body);
    try {
      return await answer(service, endpoint, input, request);
    } catch (error) {
      const missing = error instanceof AppError && error.reason === 'not_found';
      // Queries use the driver's collections directly, so its connection errors become `unavailable` here.
      throw asAppError(missing ? await whoIsMissing(service, endpoint, request, error) : error);
    }
  };
}

/** Answers the ping with which gateways check whether this service is available: see `pingOf`. */
const pingEndpoint: Endpoint = { operation: pingOf('identity'), invoke: () => Promise.resolve({}) };

/** The path at which a GET shows a single object. */
function shownPath(endpoint: PreparedEndpoint): [string, PreparedEndpoint][] {
  const { operation } = endpoint;
  return 'path' in operation && operation.method === 'GET' && !isList(operation) ? [[operation.path, endpoint]] : [];
}

/**
 * When an operation about the caller answers not_found, the caller may have been erased since the token was checked.
 */
async function whoIsMissing(
  service: Dispatching,
  { operation, check }: PreparedEndpoint,
  request: WireRequest,
  error: AppError,
): Promise<unknown> {
  if (check === undefined || 'internal' in operation) return error;
  if (operation.access.resource !== 'user' || operation.path.includes('{')) return error;
  const principal = service.readPrincipal(request.headers[wireHeader.principal]);
  if (principal === null) return error;
  try {
    const scope = scopeOf(service, commandOf(request, principal), {}, {});
    const { exists } = await check.resolve(scope, principal, {});
    return exists ? error : new AppError('unauthenticated', [], { cause: error });
  } catch (failure) {
    return failure;
  }
}

async function answer(
  service: Dispatching,
  endpoint: PreparedEndpoint,
  input: unknown,
  request: WireRequest,
): Promise<WireReply> {
  const { operation, check } = endpoint;
  const { headers, deadline } = request;
  const { cached } = service;
  const conditions = conditionsOf(headers);
  const principal = service.readPrincipal(headers[wireHeader.principal]);
  // Before the access check, since the caller may have been added or removed in the meantime.
  await asNewAs(service.store, conditions, deadline);
  if (check === undefined || 'internal' in operation) {
    const scope = scopeOf(service, commandOf(request, principal), input, { dry: conditions.dry });
    const reply = encode(operation, await endpoint.invoke(input, callOf(scope, { request, principal, cached })));
    return 'internal' in operation ? withRecorded(reply, scope.store) : reply;
  }
  if (principal === null) throw new AppError('unauthenticated');
  // A dry run must not be answered with the stored answer of the real request with the same key.
  const isKeyed = !conditions.dry && operation.kind === 'write';
  const command = commandOf(request, principal, isKeyed);
  const key = isKeyed ? headers[wireHeader.idempotencyKey] : undefined;
  const keyed = key === undefined ? undefined : { key, principal: principal.id, operation, input, deadline };
  const verdict = await admitted(check, principal, input, scopeOf(service, command, input, {})).catch(
    (error: unknown) => ({ error }),
  );
  if ('error' in verdict || verdict.kind === 'absent') {
    // The change itself may have removed the caller's access. A repetition still gets the stored answer.
    const earlier = keyed === undefined ? undefined : await service.idempotency.earlier(keyed);
    if (earlier !== undefined) return earlier;
    if ('error' in verdict) throw verdict.error;
    return deleted(false);
  }
  const { access } = verdict;
  const call = (under: StoreConditions, tagOf?: string) =>
    callOf(scopeOf(service, command, input, under, access), { request, principal, access, cached, tagOf });
  const allowed = { endpoint, operation, input, principal, conditions, recovery: verdict.kind === 'recovery', call };
  if (operation.kind === 'read') return unlessKnown(await read(service, allowed), headers[wireHeader.known]);
  // Once for its key.
  return keyed === undefined
    ? change(service, allowed)
    : service.idempotency.once(keyed, (taken) => change(service, allowed, taken));
}

/** The scope of a request. Its events belong to the organization of the path or of the access check. */
function scopeOf(
  service: Dispatching,
  command: Omit<CommandContext, 'organization'>,
  input: unknown,
  conditions: StoreConditions,
  access?: ResourceAccess,
): Scope {
  const { params } = input as { params?: { organizationId?: string } };
  const organization = access?.organization ?? params?.organizationId ?? null;
  return service.scope(service.store.scope({ ...command, organization }, conditions));
}

async function read(service: Dispatching, admittedRead: Admitted): Promise<WireReply> {
  const { endpoint, operation, input, call, conditions } = admittedRead;
  if (conditions.asOf !== undefined && admittedRead.principal.kind === 'visitor')
    throw new AppError('forbidden', [], { message: 'Visitors see what is published now' });
  if (conditions.asOf === undefined) return encode(operation, await endpoint.invoke(input, call({})));
  const { params } = input as { params: Record<string, string> };
  const past = await pastOf(service, operation, params, conditions.asOf);
  // Without an entity tag: an earlier state cannot be changed, so no precondition could use the tag.
  return { body: encode(operation, await endpoint.invoke(input, call({ past }))).body };
}

function prepare(endpoint: Endpoint, resolvers: AccessResolvers): PreparedEndpoint {
  const { operation } = endpoint;
  const schema = inputSchema(operation);
  if ('internal' in operation) return { ...endpoint, schema, check: undefined };
  const { id, access } = operation;
  // Without a token there is no caller, so the handler gets what an internal operation gets, and the client.
  if (access.tokens.length === 0) return { ...endpoint, schema, check: undefined };
  const resolve = resolvers[access.resource];
  if (resolve === undefined) throw new Error(`${id}: nothing resolves access to ${access.resource}`);
  return { ...endpoint, schema, check: { operation, resolve } };
}

const decoder = new TextDecoder();

function parseInput(schema: z.ZodType, body: Uint8Array): unknown {
  const raw: unknown = body.length === 0 ? {} : JSON.parse(decoder.decode(body));
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  throw new AppError('invalid_request', details, { message: 'The request is not valid' });
}

/**
 * Whether the caller may send the request; `absent` for a DELETE of something that they may not see.
 * @throws AppError when they may not
 */
async function admitted(
  { operation: op, resolve }: AccessCheck,
  principal: Principal,
  input: unknown,
  scope: Scope,
): Promise<{ kind: 'allow' | 'recovery' | 'absent'; access: ResourceAccess }> {
  // The gateway has refused other tokens. What visitors and integrations reach does not depend on that alone.
  if (principal.kind !== 'user' && refuseToken(op.access, principal) !== null)
    throw forbidden(tokenMessage(op.access, principal));
  if (reachesBeyond(op.access, principal))
    throw new AppError('forbidden', [], { message: 'This token can be used in one organization only' });
  const { params, body } = input as { params: Record<string, string>; body?: object };
  const access = await resolve(scope, principal, params);
  const kind = decideAccess(op.access, access, Object.keys(body ?? {}));
  if (kind === 'allow' || kind === 'recovery') return { kind, access };
  if (kind === 'absent' && op.method === 'DELETE') return { kind, access };
  if (kind === 'forbidden') throw forbidden(forbiddenMessage(op.access));
  throw new AppError(kind === 'sso_required' ? kind : 'not_found');
}

function forbidden(message: string | undefined): AppError {
  return new AppError('forbidden', [], message === undefined ? {} : { message });
}
