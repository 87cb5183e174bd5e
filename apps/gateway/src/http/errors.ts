import {
  AppError,
  blaming,
  errorPath,
  hasDefaultMessage,
  notFoundMessage,
  statusOf,
  type Operation,
} from '@scriptorium/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf, refuseTarget } from './accept.js';

/** A rendered error. */
export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Renders an error in the documented shape. `op`: the operation that refuses, if there is one. */
export function renderError(error: AppError, requestId: string, op?: Operation): ErrorAnswer {
  const code = statusOf(op, error.reason);
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    link: `<${errorPath(error.reason)}>; rel="help"`,
  };
  if (error.reason === 'unauthenticated') headers['www-authenticate'] = 'Bearer';
  if (error.replayed) headers['idempotency-replayed'] = 'true';
  if (error.retryAfter !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfter)));
  const details = error.details.length === 0 ? {} : { details: error.details };
  const body = { error: { code, message: messageOf(error, op), reason: error.reason, ...details, requestId } };
  return { status: code, headers, body: JSON.stringify(body) };
}

/** Services say that something is not there; which kind of thing it is, the path of the operation says. */
function messageOf(error: AppError, op: Operation | undefined): string {
  if (error.reason !== 'not_found' || op === undefined || !hasDefaultMessage(error)) return error.message;
  return notFoundMessage(op.path) ?? error.message;
}

const byCode: Record<string, (message: string) => AppError> = {
  FST_ERR_BAD_URL: (message) => blaming('invalid_request', 'url', message),
  FST_ERR_MAX_PARAM_LENGTH: (message) => blaming('invalid_request', 'url', message),
  FST_ERR_CTP_BODY_TOO_LARGE: () => blaming('too_large', 'body'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => blaming('unsupported_media_type', 'headers.content-type'),
  FST_ERR_CTP_EMPTY_TYPE: () => blaming('unsupported_media_type', 'headers.content-type'),
  FST_ERR_ROUTE_METHOD_NOT_SUPPORTED: () => new AppError('method_not_allowed'),
};

/**
 * The product's error for anything that was thrown while a request was handled. Errors of the HTTP framework get their
 * reason; everything else becomes `unexpected`, whose message tells nothing about the cause.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const { code, statusCode, message } = describe(thrown);
  const known = byCode[code];
  if (known !== undefined) return known(message);
  if (statusCode >= 400 && statusCode < 500) return new AppError('invalid_request', [], { message, cause: thrown });
  return new AppError('unexpected', [], { cause: thrown });
}

function describe(thrown: unknown): { code: string; statusCode: number; message: string } {
  const { code, statusCode, message } = (thrown ?? {}) as { code?: unknown; statusCode?: unknown; message?: unknown };
  return {
    code: typeof code === 'string' ? code : '',
    statusCode: typeof statusCode === 'number' ? statusCode : 500,
    message: typeof message === 'string' ? message : 'Invalid request',
  };
}

/** Answers a request with an error. */
export type AnswerError = (error: AppError, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * Answers 404 for paths that do not exist and 405 for methods that a path does not have. `others`: paths besides those
 * of the operations, which are read with GET.
 */
export function registerUnknownPaths(
  fastify: FastifyInstance,
  table: readonly Operation[],
  others: readonly string[],
  answerError: AnswerError,
): void {
  const methodsOf = createMethodsOf(table, others);
  fastify.setNotFoundHandler((request, reply) => {
    const url = request.raw.url ?? '/';
    const refused = refuseTarget(url);
    if (refused !== undefined) return answerError(refused, request, reply);
    const methods = methodsOf(pathOf(url));
    if (methods.length === 0 || methods.includes(request.method))
      return answerError(new AppError('not_found', [], { message: 'There is no such path' }), request, reply);
    reply.header('allow', methods.join(', '));
    const message = `${request.method.slice(0, 32)} is not possible here`;
    return answerError(new AppError('method_not_allowed', [], { message }), request, reply);
  });
}

/** The methods of a path; `[]` for an unknown path. */
export type MethodsOf = (path: string) => readonly string[];

/** The group of the paths that have any number of segments. */
const anyNumber = 0;

/**
 * Finds the methods of a path, for 405 and `Allow`. It is called only when no route matched, so it may search; paths
 * are grouped by their number of segments.
 */
export function createMethodsOf(
  table: readonly Pick<Operation, 'method' | 'path' | 'aliases' | 'rest'>[],
  others: readonly string[],
): MethodsOf {
  const bySegments = new Map<number, { pattern: RegExp; methods: Set<string> }[]>();
  const add = (path: string, method: string, rest?: string): void => {
    const number = rest === undefined ? segments(path) : anyNumber;
    const group = bySegments.get(number) ?? [];
    bySegments.set(number, group);
    const pattern = patternOf(path, rest);
    let entry = group.find((e) => e.pattern.source === pattern.source);
    if (entry === undefined) group.push((entry = { pattern, methods: new Set() }));
    entry.methods.add(method);
    if (method === 'GET') entry.methods.add('HEAD');
  };
  for (const op of table) {
    for (const path of [op.path, ...op.aliases]) add(`/v1${path}`, op.method, op.rest);
    if (op.path === '/') add('/v1', op.method);
  }
  for (const path of others) add(path, 'GET');
  return (path) => {
    const groups = [segments(path), anyNumber].flatMap((number) => bySegments.get(number) ?? []);
    const found = groups.filter((entry) => entry.pattern.test(path));
    return [...new Set(found.flatMap((entry) => [...entry.methods]))].sort();
  };
}

function segments(path: string): number {
  return path.split('/').length;
}

function patternOf(path: string, rest: string | undefined): RegExp {
  const anything = (parameter: string): string => (parameter === `{${rest}}` ? '.+' : '[^/]+');
  const source = path
    .split('/')
    .map((part) => (part.startsWith('{') ? anything(part) : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/');
  return new RegExp(`^${source}$`);
}
