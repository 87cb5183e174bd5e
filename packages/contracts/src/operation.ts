import * as z from 'zod';
import type { Access } from './access.js';
import { reasonStatus, type Reason } from './errors.js';

/** Who answers an operation. Those of `gateway` never travel: the gateway answers them itself. */
export type Service = 'gateway' | 'identity' | 'content' | 'sites' | 'collaboration' | 'integrations' | 'conversations';

type ObjectSchema = z.ZodObject;

/** The four schemas of an operation. `body` and `response` are absent where nothing is sent. */
export interface Schemas {
  params: ObjectSchema;
  query: ObjectSchema;
  body: z.ZodType | undefined;
  response: z.ZodType | undefined;
}

/**
 * One operation of `/v1`, as plain data (ruling 9). Route, subject, validation at gateway and service, types, access
 * check and OpenAPI entry all come from it.
 */
export type Operation<S extends Schemas = Schemas> = S & Traits;

/** What an operation is besides its schemas. Exported, as declarations have to name it. */
export interface Traits {
  id: string;
  service: Service;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/v1`, parameters in braces: `/orgs/{organizationId}`. */
  path: string;
  summary: string;
  tag: string;
  access: Access;
  kind: 'read' | 'write';
  /** Status of success. A DELETE answers 205 when it deleted and 204 when there was nothing; 302 sends a browser elsewhere. */
  status: 200 | 201 | 204 | 205 | 302;
  /** Media type of the request's body. */
  consumes: 'application/json' | 'application/x-www-form-urlencoded';
  /** Media type of the answer; what is not JSON is a text. */
  produces: 'application/json' | 'application/samlmetadata+xml';
  /** Whether people's browsers come here by themselves: they are known again by a cookie, and shown refusals as a page. */
  browser: boolean;
  /** Reasons beyond those that every operation of its shape has. */
  reasons: readonly Reason[];
  /** Statuses of reasons that this operation answers otherwise than all others do. */
  statuses: Readonly<Partial<Record<Reason, number>>>;
  /** Whether a request without a body is accepted. */
  bodyOptional: boolean;
  /** Milliseconds from the gateway's acceptance to the answer. */
  deadlineMs: number;
  /** Bytes of request body. */
  bodyLimit: number;
  /** Response fields that are shown once and never kept. */
  secret: readonly string[];
  /** Of a resource that can be shown as it was (`?asOf`): the stream whose state it is. */
  history: History | undefined;
  /** Of a list that can also be followed: where it goes on, and whose news there are. */
  stream: StreamTrait | undefined;
  /** Whether `?dryRun=true` is possible: all that the operation does is to record events. */
  dryRun: boolean;
  /** What its requests count as when their rate is limited. */
  rate: RateClass;
  /** Since when callers should move on, when it will be gone at the earliest, and to what. */
  deprecated: Deprecation | undefined;
}

/** The stream that a resource is the state of, by the entity in its name and the path parameter with its id. */
export interface History {
  entity: string;
  id: string;
}

/**
 * A list whose items have a `cursor` each, in their order. Asked for as `text/event-stream` the gateway sends it page by page as server-sent
 * events, and goes on when there is news. Without `next` in a page, the stream ends.
 */
export interface StreamTrait {
  /** The query parameter that takes a cursor. */
  after: string;
  /** The path parameter that names what the news are about. */
  topic: string;
}

/** Requests of one class share a budget a minute (decisions 1.1). */
export type RateClass = 'ordinary' | 'search' | 'content-write';

export interface Deprecation {
  /** ISO dates. */
  since: string;
  sunset: string;
  /** Path below `/v1` of what replaces it. */
  successor: string;
}

interface Declaration<P extends ObjectSchema, Q extends ObjectSchema, B, R> {
  id: string;
  service: Service;
  method: Operation['method'];
  path: string;
  summary: string;
  tag: string;
  access: Omit<Access, 'tokens'> & { tokens?: Access['tokens'] };
  params?: P;
  query?: Q;
  body?: B;
  response?: R;
  status?: Operation['status'];
  consumes?: Operation['consumes'];
  produces?: Operation['produces'];
  browser?: boolean;
  reasons?: readonly Reason[];
  statuses?: Operation['statuses'];
  bodyOptional?: boolean;
  deadlineMs?: number;
  bodyLimit?: number;
  secret?: readonly string[];
  history?: History;
  stream?: StreamTrait;
  dryRun?: boolean;
  rate?: RateClass;
  deprecated?: Deprecation;
}

type Nothing = z.ZodObject<Record<never, never>>;
const nothing: Nothing = z.object({});

/** Tokens that act for a user; the usual answer to "which tokens". */
const userTokens: Access['tokens'] = ['personal', 'oauth'];

/** Declares an operation; what is left out gets the product's defaults. */
export function operation<
  P extends ObjectSchema = Nothing,
  Q extends ObjectSchema = Nothing,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
>(declared: Declaration<P, Q, B, R>): Operation<{ params: P; query: Q; body: B; response: R }> {
  const removes = declared.method === 'DELETE';
  return {
    status: removes ? 205 : declared.response === undefined ? 204 : 200,
    consumes: 'application/json',
    produces: 'application/json',
    browser: false,
    reasons: [],
    statuses: {},
    bodyOptional: false,
    deadlineMs: 10_000,
    bodyLimit: 10 * 1024 * 1024,
    secret: [],
    history: undefined,
    stream: undefined,
    dryRun: declared.method !== 'GET' && declared.access.tokens?.length !== 0,
    rate: 'ordinary',
    deprecated: undefined,
    ...declared,
    kind: declared.method === 'GET' ? 'read' : 'write',
    access: { tokens: userTokens, ...declared.access },
    params: declared.params ?? (nothing as unknown as P),
    query: declared.query ?? (nothing as unknown as Q),
    body: declared.body as B,
    response: declared.response as R,
  };
}

type AnonymousDeclaration<P extends ObjectSchema, Q extends ObjectSchema, B, R> = Omit<Declaration<P, Q, B, R>, 'access'>;

/** Declares an operation that needs no token. Its handler is called without a principal. */
export function anonymousOperation<
  P extends ObjectSchema = Nothing,
  Q extends ObjectSchema = Nothing,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
>(declared: AnonymousDeclaration<P, Q, B, R>): Operation<{ params: P; query: Q; body: B; response: R }> & { anonymous: true } {
  const access = { tokens: [], resource: 'installation', view: ['anyone'], allow: ['anyone'] } as const;
  return { ...operation({ ...declared, access }), anonymous: true };
}

/** The HTTP status with which an operation refuses for a reason. */
export function statusOf(op: Pick<Operation, 'statuses'> | undefined, reason: Reason): number {
  return op?.statuses[reason] ?? reasonStatus[reason];
}

type Out<T> = T extends z.ZodType ? z.output<T> : undefined;
type In<T> = T extends z.ZodType ? z.input<T> : undefined;

/** What a service receives: parsed parameters, query and body. */
export interface InputOf<O extends Operation> {
  params: z.output<O['params']>;
  query: z.output<O['query']>;
  body: Out<O['body']>;
}

/** What a service returns: the response body; for a DELETE whether there was something to delete. */
export type ResultOf<O extends Operation> = O['response'] extends z.ZodType
  ? In<O['response']>
  : O['method'] extends 'DELETE'
    ? boolean
    : void | boolean;

/** An exchange between processes that has no route: the gateway asks a service, or one service another. */
export interface InternalOperation<I extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  id: string;
  service: Service;
  internal: true;
  input: I;
  response: R;
  deadlineMs: number;
}

/** Declares an exchange between processes. */
export function internalOperation<I extends z.ZodType, R extends z.ZodType>(
  declared: Omit<InternalOperation<I, R>, 'internal' | 'deadlineMs'> & { deadlineMs?: number },
): InternalOperation<I, R> {
  return { deadlineMs: 5_000, ...declared, internal: true };
}

/** The schema of an operation's whole input, used by the gateway and again by the service. */
export function inputSchema(op: Operation | InternalOperation): z.ZodType {
  if ('internal' in op) return op.input;
  const { params, query, body } = op;
  if (body === undefined) return z.object({ params, query });
  return z.object({ params, query, body: op.bodyOptional ? body.optional() : body });
}

type OperationsIn<M> = { [K in keyof M as M[K] extends Operation ? K : never]: M[K] };

/** The operations among the exports of a module; each must be exported under its own id. */
export function pickOperations<M extends object>(module: M): OperationsIn<M> {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(module) as [string, unknown][]) {
    if (!isOperation(value)) continue;
    if (value.id !== name) throw new Error(`Operation ${value.id} is exported as ${name}`);
    found[name] = value;
  }
  return found as OperationsIn<M>;
}

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'id' in value;
}

/** Whether an operation answers with a list: what it shows is no object that could be changed as a whole. */
export function isList({ response }: Pick<Operation, 'response'>): boolean {
  return response !== undefined && 'shape' in response && 'items' in (response.shape as object);
}
