import {
  AppError, decideAccess, inputSchema, isList, parsePrincipal, reachesBeyond, wireHeader, type Operation, type Principal,
} from '@scriptorium/contracts';
import { asAppError, conducted, type Conduct, type Store, type StreamStand } from '@scriptorium/event-sourcing';
import type * as z from 'zod';
import type { Admission, Standings } from './admission.js';
import type { Answers } from './answers.js';
import { pastOf } from './as-of.js';
import { asNewAs, conditionsOf, matching, type Conditions } from './conditions.js';
import { entityTag } from './entity-tag.js';
import type { WireReply, WireRequest } from './exchange.js';
import type { AnyOperation, Call, InternalCall } from './handles.js';
import { Redirect } from './redirect.js';
import { Rendered } from './rendered.js';
import type { Endpoint } from './transport.js';
import { visibilityEndpoint } from './visibility.js';
import { WithSession } from './with-session.js';

interface Prepared extends Endpoint {
  schema: z.ZodType;
  /** For operations that need a token; anonymous ones, and exchanges between processes, have no caller who could be refused. */
  admission: Admission | undefined;
}

/** Of the service, what answering needs. */
export interface DispatchPorts {
  store: Pick<Store, 'visible' | 'reached' | 'past'>;
  answers: Answers;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Records that an admin has changed something without the single sign-on that is enforced. */
  recovered?: ((call: Call, params: Readonly<Record<string, string>>) => Promise<void>) | undefined;
}

interface Dispatching extends DispatchPorts {
  /** The endpoint that shows the single object at a path. */
  shownAt: (path: string) => Prepared | undefined;
}

/** A request that its caller may make. */
interface Admitted {
  endpoint: Prepared;
  operation: Operation;
  input: unknown;
  call: Call;
  conditions: Conditions;
  /** Whether they may since they recover their organization. */
  recovery: boolean;
}

const empty = new Uint8Array();

/**
 * The path of every request through a service: parse the input, evaluate the access rule, call the handler, encode
 * the answer. @throws at start when an operation's resource has no resolver: default deny.
 */
export function createDispatch(endpoints: ReadonlyMap<string, Endpoint>, standings: Standings, ports: DispatchPorts) {
  const prepared = new Map([...endpoints].map(([id, endpoint]) => [id, prepare(endpoint, standings)]));
  const shown = new Map([...prepared.values()].flatMap((endpoint) => ('path' in endpoint.operation && endpoint.operation.method === 'GET' && !isList(endpoint.operation) ? [[endpoint.operation.path, endpoint]] : [])));
  const visibility = visibilityEndpoint((id) => prepared.get(id)?.admission);
  prepared.set(visibility.operation.id, prepare(visibility, standings));
  const service: Dispatching = { ...ports, shownAt: (path) => shown.get(path) };
  return async (request: WireRequest): Promise<WireReply> => {
    const endpoint = prepared.get(request.operation);
    if (endpoint === undefined) throw new AppError('unavailable');
    const input = parseInput(endpoint.schema, request.body);
    try {
      return await answer(service, endpoint, input, request);
    } catch (error) {
      const missing = error instanceof AppError && error.reason === 'not_found';
      // Queries work on the driver's collections: a database that is away is `unavailable` there too.
      throw asAppError(missing ? await whoIsMissing(endpoint, request, error) : error);
    }
  };
}

/** What an operation on the caller alone does not find may be the caller, who was erased since the token was checked. */
async function whoIsMissing({ operation, admission }: Prepared, { headers }: WireRequest, error: AppError): Promise<unknown> {
  if (admission === undefined || 'internal' in operation || operation.access.resource !== 'user' || operation.path.includes('{')) return error;
  const principal = parsePrincipal(headers[wireHeader.principal]);
  if (principal === null) return error;
  try {
    return (await admission.standing(principal, {})).exists ? error : new AppError('unauthenticated', [], { cause: error });
  } catch (failure) {
    return failure;
  }
}

async function answer(service: Dispatching, endpoint: Prepared, input: unknown, request: WireRequest): Promise<WireReply> {
  const { operation, admission } = endpoint;
  const call = callOf(request);
  const conditions = conditionsOf(request.headers);
  // Before the caller is judged: by then they may have come in, or be gone.
  if (conditions.after !== undefined) await asNewAs(service.store, conditions.after);
  if (admission === undefined || 'internal' in operation) return encode(operation, await endpoint.invoke(input, call));
  const principal = parsePrincipal(request.headers[wireHeader.principal]);
  if (principal === null) throw new AppError('unauthenticated');
  // What is only tried must not be taken for what was done with the same key.
  const idempotencyKey = conditions.dry || operation.kind === 'read' ? undefined : call.idempotencyKey;
  const keyed = idempotencyKey === undefined ? undefined : { key: idempotencyKey, principal: principal.id, operation, input, deadline: call.deadline };
  const verdict = await admitted(admission, input, principal).catch((error: unknown) => ({ error }));
  if (typeof verdict === 'object' || verdict === 'absent') {
    // Their own change may have taken from callers what it asks for; the answer to it is theirs all the same.
    const earlier = keyed === undefined ? undefined : await service.answers.earlier(keyed);
    if (earlier !== undefined) return earlier;
    if (verdict === 'absent') return { body: empty, headers: { [wireHeader.status]: '204' } };
    throw verdict.error;
  }
  const allowed: Admitted = { endpoint, operation, input, call: { ...call, principal, idempotencyKey }, conditions, recovery: verdict === 'recovery' };
  if (operation.kind === 'read') return read(service, allowed);
  // Once for its key.
  return keyed === undefined ? change(service, allowed) : service.answers.once(keyed, (taken) => change(service, allowed, taken));
}

async function read(service: Dispatching, { endpoint, operation, input, call, conditions: { asOf } }: Admitted): Promise<WireReply> {
  if (asOf === undefined) return encode(operation, await endpoint.invoke(input, call));
  const { params } = input as { params: Record<string, string> };
  const past = await pastOf(service, operation, params, asOf);
  const { result } = await conducted({ past }, () => endpoint.invoke(input, call));
  // Without an entity tag: what it would tell apart is not what a change could be held to.
  return { body: encode(operation, result).body };
}

/** `taken`: rejects when the change must not have an effect. */
async function change(service: Dispatching, admitted: Admitted, taken?: () => Promise<void>): Promise<WireReply> {
  const { endpoint, operation, input, call, conditions, recovery } = admitted;
  const { ifMatch, dry } = conditions;
  const matches = ifMatch === undefined ? undefined : matching(service.store, ifMatch, () => currentTag(service, admitted));
  const condition = conditionOf(async (stream) => void (await Promise.all([taken?.(), matches?.(stream)])));
  // What does more than record events has to ask first; for all else the store asks, before a command counts as carried out.
  if (!operation.dryRun) await condition.settle();
  const { result, position } = await conducted({ dry, precondition: condition.ask }, async () => {
    // What is not as the caller thinks is no reason to tell them what else is wrong.
    const done = await endpoint.invoke(input, call).finally(condition.settle);
    // What is refused is no recovery.
    if (recovery) await service.recovered?.(call, (input as { params: Record<string, string> }).params);
    return done;
  });
  const { body, headers } = encode(operation, result);
  return { body, headers: { ...headers, ...(position === undefined ? {} : { [wireHeader.position]: String(position) }) } };
}

/** `settle` asks when nobody did; what was answered last holds even where whoever asked went on regardless. */
function conditionOf(holds: NonNullable<Conduct['precondition']>) {
  let asked: Promise<void> | undefined;
  const ask = (stream: StreamStand): Promise<void> => (asked = holds(stream));
  return { ask, settle: () => asked ?? ask({ position: -1n, types: [] }) };
}

/** The entity tag that a GET of the same path would show this caller; `undefined` where there is nothing. */
async function currentTag({ shownAt }: Dispatching, { operation, input, call }: Admitted): Promise<string | undefined> {
  const get = shownAt(operation.path);
  if (get === undefined) {
    const message = 'Nothing at this path has a strong entity tag';
    throw new AppError('invalid_request', [{ path: 'headers.if-match', message }], { message: `If-Match: ${message}` });
  }
  const { params } = input as { params: unknown };
  try {
    const result = await get.invoke(get.schema.parse({ params, query: {} }), { ...call, operation: get.operation.id });
    return encode(get.operation, result).headers?.[wireHeader.etag];
  } catch (error) {
    if (error instanceof AppError && error.reason === 'not_found') return undefined;
    throw error;
  }
}

function prepare(endpoint: Endpoint, standings: Standings): Prepared {
  const { operation } = endpoint;
  const schema = inputSchema(operation);
  if ('internal' in operation) return { ...endpoint, schema, admission: undefined };
  const { id, access } = operation;
  // Without a token there is no caller: what the handler gets is that of an exchange between processes, and the client.
  if (access.tokens.length === 0) return { ...endpoint, schema, admission: undefined };
  const standing = standings[access.resource];
  if (standing === undefined) throw new Error(`${id}: nothing resolves access to ${access.resource}`);
  return { ...endpoint, schema, admission: { operation, standing } };
}

function parseInput(schema: z.ZodType, body: Uint8Array): unknown {
  const raw: unknown = body.length === 0 ? {} : JSON.parse(new TextDecoder().decode(body));
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  throw new AppError('invalid_request', details, { message: 'The request is not valid' });
}

function callOf(request: WireRequest): InternalCall {
  return {
    operation: request.operation,
    requestId: request.headers[wireHeader.requestId] ?? '',
    deadline: request.deadline,
    idempotencyKey: request.headers[wireHeader.idempotencyKey],
    traceparent: request.headers[wireHeader.traceparent],
    client: {
      address: request.headers[wireHeader.clientAddress],
      agent: request.headers[wireHeader.clientAgent],
      session: request.headers[wireHeader.session],
      browser: request.headers[wireHeader.browser],
    },
  };
}

/** How the caller comes in; `absent` for a DELETE of what is not there for them. @throws AppError for whoever does not. */
async function admitted({ operation: op, standing }: Admission, input: unknown, principal: Principal): Promise<'allow' | 'recovery' | 'absent'> {
  if (reachesBeyond(op.access, principal)) throw new AppError('forbidden', [], { message: 'This session works in one organization alone' });
  const { params, body } = input as { params: Record<string, string>; body?: object };
  const verdict = decideAccess(op.access, await standing(principal, params), Object.keys(body ?? {}));
  if (verdict === 'allow' || verdict === 'recovery') return verdict;
  if (verdict === 'absent' && op.method === 'DELETE') return verdict;
  throw new AppError(verdict === 'forbidden' || verdict === 'sso_required' ? verdict : 'not_found');
}

/** A reply's bytes and headers from what a handler returned. */
function encode(op: AnyOperation, result: unknown): WireReply {
  if (result instanceof WithSession) {
    const { body, headers } = encode(op, result.result);
    return { body, headers: { ...headers, [wireHeader.session]: result.session ?? '' } };
  }
  if ('internal' in op) return { body: Buffer.from(JSON.stringify(result)) };
  if (result instanceof Redirect) return { body: empty, headers: { [wireHeader.location]: result.location } };
  if (op.method === 'DELETE') return { body: empty, headers: { [wireHeader.status]: result === true ? '205' : '204' } };
  if (op.response === undefined) return { body: empty };
  if (result instanceof Rendered) return { body: result.json, headers: { [wireHeader.etag]: result.tag } };
  const body = Buffer.from(JSON.stringify(result));
  if (op.method === 'GET') return { body, headers: { [wireHeader.etag]: entityTag(body) } };
  const location = op.status === 201 ? (result as { urls?: { location?: string } }).urls?.location : undefined;
  return location === undefined ? { body } : { body, headers: { [wireHeader.location]: location } };
}
