import { AppError, type Operation } from '@scriptorium/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf, refuseTarget } from './target.js';

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
    if (refused !== null) return answerError(refused, request, reply);
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
