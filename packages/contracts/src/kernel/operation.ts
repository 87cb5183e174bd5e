import * as z from 'zod';
import { userTokens, type Access } from './access.js';
import { reasonStatus, type Reason } from './errors.js';
import { refuseUnfit, type Service, type Traits } from './operation-traits.js';

export type { Deprecation, History, RateClass, Service, StreamTrait, TextType, Traits } from './operation-traits.js';

type ObjectSchema = z.ZodObject;

/** The four schemas of an operation. `body` and `response` are undefined for operations without them. */
export interface Schemas {
  params: ObjectSchema;
  query: ObjectSchema;
  body: z.ZodType | undefined;
  response: z.ZodType | undefined;
}

/**
 * One operation of `/v1`, as plain data. Its route, subject, validation at gateway and service, types, access check and
 * OpenAPI entry are made from it.
 */
export type Operation<S extends Schemas = Schemas> = S & Traits;

interface Declaration<P extends ObjectSchema, Q extends ObjectSchema, B, R> {
  id: string;
  service: Service;
  method: Operation['method'];
  path: string;
  aliases?: readonly string[];
  rest?: string;
  kind?: Operation['kind'];
  summary: string;
  tag: string;
  access: Omit<Access, 'tokens'> & { tokens?: Access['tokens'] };
  params?: P;
  query?: Q;
  body?: B;
  response?: R;
  status?: Operation['status'];
  mayCreate?: boolean;
  waitsSeconds?: number;
  consumes?: Operation['consumes'];
  produces?: Operation['produces'];
  browser?: boolean;
  reasons?: readonly Reason[];
  statuses?: Operation['statuses'];
  bodyOptional?: boolean;
  deadlineMs?: number;
  largeBodyDeadlineMs?: number;
  bodyLimit?: number;
  secret?: readonly string[];
  history?: Traits['history'];
  stream?: Traits['stream'];
  tagOf?: string;
  dryRun?: boolean;
  rate?: Traits['rate'];
  runsScript?: true;
  batch?: string;
  maxAgeSeconds?: number;
  deprecated?: Traits['deprecated'];
}

type Nothing = z.ZodObject<Record<never, never>>;
/** Bytes of a request body beyond which `largeBodyDeadlineMs` holds. */
export const largeBodyBytes = 64 * 1024;

const usualDeadlineMs = 10_000;
/** What few operations do. */
const unusual = { mayCreate: false, waitsSeconds: 0, browser: false, bodyOptional: false } as const;

const nothing: Nothing = z.object({});

/** Declares an operation; omitted properties get their defaults. @throws for properties that do not fit together */
export function operation<
  P extends ObjectSchema = Nothing,
  Q extends ObjectSchema = Nothing,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
>(declared: Declaration<P, Q, B, R>): Operation<{ params: P; query: Q; body: B; response: R }> {
  const removes = declared.method === 'DELETE';
  const kind = declared.kind ?? (declared.method === 'GET' ? 'read' : 'write');
  const op: Operation<{ params: P; query: Q; body: B; response: R }> = {
    aliases: [],
    rest: undefined,
    status: removes ? 205 : declared.response === undefined ? 204 : 200,
    ...unusual,
    consumes: 'application/json',
    produces: 'application/json',
    reasons: [],
    statuses: {},
    deadlineMs: usualDeadlineMs,
    largeBodyDeadlineMs: declared.deadlineMs ?? usualDeadlineMs,
    bodyLimit: 10 * 1024 * 1024,
    secret: [],
    history: undefined,
    stream: undefined,
    tagOf: undefined,
    dryRun: kind === 'write' && declared.access.tokens?.length !== 0,
    rate: 'ordinary',
    maxAgeSeconds: 0,
    deprecated: undefined,
    ...declared,
    kind,
    access: { tokens: userTokens, ...declared.access },
    params: declared.params ?? (nothing as P),
    query: declared.query ?? (nothing as Q),
    body: declared.body as B,
    response: declared.response as R,
  };
  refuseUnfit(op);
  return op;
}

type AnonymousDeclaration<P extends ObjectSchema, Q extends ObjectSchema, B, R> = Omit<
  Declaration<P, Q, B, R>,
  'access'
>;

/** Declares an operation that needs no token. Its handler is called without a principal. */
export function anonymousOperation<
  P extends ObjectSchema = Nothing,
  Q extends ObjectSchema = Nothing,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
>(
  declared: AnonymousDeclaration<P, Q, B, R>,
): Operation<{ params: P; query: Q; body: B; response: R }> & { anonymous: true } {
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

/** What a handler returns: the response body; for a DELETE whether there was something to delete. */
export type ResultOf<O extends Operation> = O['response'] extends z.ZodType
  ? In<O['response']>
  : O['method'] extends 'DELETE'
    ? boolean
    : void | boolean;

/** A request between processes, without a route: the gateway calls a service, or one service calls another. */
export interface InternalOperation<I extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  id: string;
  service: Service;
  internal: true;
  input: I;
  response: R;
  deadlineMs: number;
}

/** Declares an internal operation. */
export function internalOperation<I extends z.ZodType, R extends z.ZodType>(
  declared: Omit<InternalOperation<I, R>, 'internal' | 'deadlineMs'> & { deadlineMs?: number },
): InternalOperation<I, R> {
  return { deadlineMs: 5_000, ...declared, internal: true };
}

/** The schema of an operation's whole input; the gateway and the service validate with it. */
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

/** Whether an operation answers with a list. Lists have weak entity tags, because nothing changes a list as a whole. */
export function isList({ response }: Pick<Operation, 'response'>): boolean {
  return response !== undefined && 'shape' in response && 'items' in (response.shape as object);
}
