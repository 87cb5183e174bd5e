import {
  AppError, decideAccess, inputSchema, parsePrincipal, wireHeader, type Operation, type Principal, type Standing,
} from '@scriptorium/contracts';
import { asAppError } from '@scriptorium/event-sourcing';
import type * as z from 'zod';
import type { AnyOperation, InternalCall } from './handles.js';
import { Rendered } from './rendered.js';
import type { Endpoint } from './transport.js';
import { WithSession } from './with-session.js';

/** Works out how a caller stands to the resource that the path parameters name. */
export type StandingOf = (principal: Principal, params: Readonly<Record<string, string>>) => Promise<Standing>;

/** One resolver for each kind of resource that the service's operations name in their access rules. */
export type Standings = Partial<Record<Operation['access']['resource'], StandingOf>>;

export interface WireRequest {
  operation: string;
  body: Uint8Array;
  headers: Readonly<Record<string, string>>;
  deadline: number;
}

export interface WireReply {
  body: Uint8Array;
  headers?: Record<string, string>;
}

interface Prepared extends Endpoint {
  schema: z.ZodType;
  /** For operations of somebody; exchanges between processes and anonymous operations have no caller who could be refused. */
  admission: Admission | undefined;
}

interface Admission {
  operation: Operation;
  standing: StandingOf;
}

const empty = new Uint8Array();

/**
 * The path of every request through a service: parse the input, evaluate the access rule, call the handler, encode
 * the answer. @throws at start when an operation's resource has no resolver: default deny.
 */
export function createDispatch(endpoints: ReadonlyMap<string, Endpoint>, standings: Standings) {
  const prepared = new Map([...endpoints].map(([id, endpoint]) => [id, prepare(endpoint, standings)]));
  return async (request: WireRequest): Promise<WireReply> => {
    const endpoint = prepared.get(request.operation);
    if (endpoint === undefined) throw new AppError('unavailable');
    const input = parseInput(endpoint.schema, request.body);
    try {
      return await answer(endpoint, input, request);
    } catch (error) {
      // Queries work on the driver's collections: a database that is away is `unavailable` there too.
      throw asAppError(error);
    }
  };
}

async function answer(endpoint: Prepared, input: unknown, request: WireRequest): Promise<WireReply> {
  const { operation, admission } = endpoint;
  const call = callOf(request);
  if (admission === undefined) return encode(operation, await endpoint.invoke(input, call));
  const principal = parsePrincipal(request.headers[wireHeader.principal]);
  if (principal === null) throw new AppError('unauthenticated');
  if (!(await admitted(admission, input, principal))) return { body: empty, headers: { [wireHeader.status]: '204' } };
  return encode(operation, await endpoint.invoke(input, { ...call, principal }));
}

function prepare(endpoint: Endpoint, standings: Standings): Prepared {
  const { operation } = endpoint;
  const schema = inputSchema(operation);
  if ('internal' in operation || 'anonymous' in operation) return { ...endpoint, schema, admission: undefined };
  const { id, access } = operation;
  if (access.tokens.length === 0) throw new Error(`${id}: no token is accepted, so nobody can call it`);
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
    },
  };
}

/** Whether to go on; false for a DELETE of what is not there for this caller. */
async function admitted({ operation: op, standing }: Admission, input: unknown, principal: Principal): Promise<boolean> {
  const { params } = input as { params: Record<string, string> };
  const verdict = decideAccess(op.access, await standing(principal, params));
  if (verdict === 'allow') return true;
  if (verdict === 'absent' && op.method === 'DELETE') return false;
  throw new AppError(verdict === 'forbidden' ? 'forbidden' : 'not_found');
}

/** A reply's bytes and headers from what a handler returned. */
function encode(op: AnyOperation, result: unknown): WireReply {
  if (result instanceof WithSession) {
    const { body, headers } = encode(op, result.result);
    return { body, headers: { ...headers, [wireHeader.session]: result.session ?? '' } };
  }
  if ('internal' in op) return { body: Buffer.from(JSON.stringify(result)) };
  if (op.method === 'DELETE') return { body: empty, headers: { [wireHeader.status]: result === true ? '205' : '204' } };
  if (op.response === undefined) return { body: empty };
  if (result instanceof Rendered) return { body: result.json };
  const body = Buffer.from(JSON.stringify(result));
  const location = op.status === 201 ? (result as { urls?: { location?: string } }).urls?.location : undefined;
  return location === undefined ? { body } : { body, headers: { [wireHeader.location]: location } };
}
