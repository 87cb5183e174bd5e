import { AppError, isReason, type ErrorDetail } from '../kernel/errors.js';
import type { Operation } from '../kernel/operation.js';

export interface ClientOptions {
  /** Address of the gateway without `/v1`. */
  endpoint: string;
  token?: string;
  fetch?: typeof fetch;
  /** Milliseconds after which a call is aborted; 30,000 unless set. */
  timeoutMs?: number;
  /**
   * Whether a server refuses what it does not know (`strict`, unless set) or says in a header that it ignores it.
   * Clients that may be newer than their server, and can do without what it does not know, are lenient.
   */
  handling?: 'strict' | 'lenient';
}

/** Headers of a call besides its input; see the OpenAPI document. */
export interface CallConditions {
  idempotencyKey?: string;
  ifMatch?: string;
  /** A position that the answer must not be older than. */
  after?: string;
  /** A time or a position, for resources that can be shown as they were. */
  asOf?: string;
  /** Seconds that the answer may wait for what the call has begun. */
  waitSeconds?: number;
}

type Scalar = string | number | boolean;

export interface LooseCall extends CallConditions {
  params?: Record<string, string>;
  query?: Record<string, Scalar | readonly Scalar[] | undefined>;
  body?: unknown;
}

/** The successful answer to a call. @throws AppError with the server's reason */
export async function request(
  options: ClientOptions,
  op: Operation,
  call: LooseCall,
  more: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> {
  const wait = call.waitSeconds === undefined ? '' : `, wait=${call.waitSeconds}`;
  const headers: Record<string, string> = { prefer: `handling=${options.handling ?? 'strict'}${wait}`, ...more };
  if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`;
  if (call.body !== undefined) headers['content-type'] = op.consumes;
  if (call.idempotencyKey !== undefined) headers['idempotency-key'] = call.idempotencyKey;
  if (call.ifMatch !== undefined) headers['if-match'] = call.ifMatch;
  if (call.after !== undefined) headers['scriptorium-after'] = call.after;
  const response = await (options.fetch ?? fetch)(options.endpoint + urlOf(op, withAsOf(call)), {
    method: op.method,
    headers,
    signal,
    redirect: 'manual',
    ...(call.body === undefined ? {} : { body: encoded(op, call.body) }),
  });
  if (!response.ok && response.status !== op.status) throw await failure(options, response);
  return response;
}

function encoded({ consumes }: Operation, body: unknown): string {
  return consumes === 'application/json'
    ? JSON.stringify(body)
    : new URLSearchParams(body as Record<string, string>).toString();
}

function withAsOf({ asOf, ...call }: LooseCall): LooseCall {
  return asOf === undefined ? call : { ...call, query: { ...call.query, asOf } };
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

/** The error for an answer that no installation gives, but a proxy or another server does. */
export function foreignAnswer({ endpoint }: ClientOptions, { status, statusText, headers }: Response): AppError {
  const location = headers.get('location');
  const to = location === null ? '' : ` to ${location}`;
  const message = `${endpoint} answered ${`${status} ${statusText}`.trim()}${to}, not as an installation of Scriptorium`;
  return new AppError('unexpected', [], { message });
}

async function failure(options: ClientOptions, response: Response): Promise<AppError> {
  const body = (await response.json().catch(() => undefined)) as
    { error?: { reason?: unknown; message?: string; details?: ErrorDetail[] } } | undefined;
  const error = body?.error;
  const after = response.headers.get('retry-after') ?? '';
  return new AppError(isReason(error?.reason) ? error.reason : 'unexpected', error?.details ?? [], {
    message: error?.message ?? foreignAnswer(options, response).message,
    ...(/^\d{1,9}$/.test(after) ? { retryAfter: Number(after) } : {}),
  });
}
