import type * as z from 'zod';
import { AppError, isReason, type ErrorDetail } from './errors.js';
import type { Operation, ResultOf } from './operation.js';
import { operations, type Operations } from './operations.js';

type Part<Name extends string, T> = T extends z.ZodType
  ? Record<never, never> extends z.input<T>
    ? { [K in Name]?: z.input<T> }
    : { [K in Name]: z.input<T> }
  : unknown;

/** What a caller passes: parameters, query and body as far as the operation has them. */
export type CallOf<O extends Operation> = Part<'params', O['params']> & Part<'query', O['query']> & Part<'body', O['body']> & CallConditions;

type AnswerOf<O extends Operation> = O['response'] extends z.ZodType ? z.output<O['response']> : ResultOf<O>;

type Method<O extends Operation> = Record<never, never> extends CallOf<O>
  ? (call?: CallOf<O>) => Promise<AnswerOf<O>>
  : (call: CallOf<O>) => Promise<AnswerOf<O>>;

/** One method for each operation, named by its id. */
export type Client = { [K in keyof Operations]: Operations[K] extends Operation ? Method<Operations[K]> : never };

export interface ClientOptions {
  /** Address of the gateway without `/v1`. */
  endpoint: string;
  token?: string;
  fetch?: typeof fetch;
  /** Milliseconds after which a call is given up; 30,000 unless set. */
  timeoutMs?: number;
}

/** What a call may ask for beside its input; see the document of the API. */
export interface CallConditions {
  idempotencyKey?: string;
  ifMatch?: string;
  /** A position that the answer must not be older than. */
  after?: string;
}

type Scalar = string | number | boolean;

interface LooseCall extends CallConditions {
  params?: Record<string, string>;
  query?: Record<string, Scalar | readonly Scalar[] | undefined>;
  body?: unknown;
}

/**
 * A typed client of the whole API, made from the operation table. Failures are thrown as `AppError` with the reason
 * the server gave; a deletion answers whether there was something to delete.
 */
export function createClient(options: ClientOptions): Client {
  const entries = Object.entries(operations).map(([id, op]) => [
    id,
    (call: LooseCall = {}) => send(options, op, call),
  ]);
  return Object.fromEntries(entries) as Client;
}

/** Calls one operation, also one that has no method of its own on the client: those of operators. */
export function callOperation<O extends Operation>(options: ClientOptions, op: O, call: CallOf<O>): Promise<AnswerOf<O>> {
  return send(options, op, call as LooseCall) as Promise<AnswerOf<O>>;
}

async function send(options: ClientOptions, op: Operation, call: LooseCall): Promise<unknown> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`;
  if (call.body !== undefined) headers['content-type'] = op.consumes;
  if (call.idempotencyKey !== undefined) headers['idempotency-key'] = call.idempotencyKey;
  if (call.ifMatch !== undefined) headers['if-match'] = call.ifMatch;
  if (call.after !== undefined) headers['scriptorium-after'] = call.after;
  const response = await (options.fetch ?? fetch)(options.endpoint + urlOf(op, call), {
    method: op.method,
    headers,
    signal: AbortSignal.timeout(options.timeoutMs ?? 30_000),
    redirect: 'manual',
    ...(call.body === undefined ? {} : { body: encoded(op, call.body) }),
  });
  if (!response.ok && response.status !== op.status) throw await failure(response);
  if (op.response !== undefined) return op.produces === 'application/json' ? response.json() : response.text();
  return op.method === 'DELETE' ? response.status === 205 : undefined;
}

function encoded({ consumes }: Operation, body: unknown): string {
  return consumes === 'application/json' ? JSON.stringify(body) : new URLSearchParams(body as Record<string, string>).toString();
}

/** Path and query of a call, encoded; arrays repeat their key. */
export function urlOf(op: Pick<Operation, 'path'>, call: LooseCall): string {
  const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.params?.[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) {
    for (const one of [value].flat()) {
      if (one !== undefined) search.append(name, String(one));
    }
  }
  const query = search.toString();
  return `/v1${path}${query === '' ? '' : `?${query}`}`;
}

async function failure(response: Response): Promise<AppError> {
  const body = (await response.json().catch(() => undefined)) as
    | { error?: { reason?: unknown; message?: string; details?: ErrorDetail[] } }
    | undefined;
  const error = body?.error;
  return new AppError(isReason(error?.reason) ? error.reason : 'unexpected', error?.details ?? [], {
    message: error?.message ?? response.statusText,
  });
}
