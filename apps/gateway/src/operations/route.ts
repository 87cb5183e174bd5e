import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppError, Operation } from '@scriptorium/contracts';
import { requireToken } from '../auth/require-token.js';
import type { BodyBudget } from '../http/bodies/body-budget.js';
import { maxDecoded } from '../http/bodies/coded-body.js';
import { deprecationHeaders } from '../http/answers/headers.js';
import type { Hook } from '../http/requests/hook.js';
import { refuseEmpty, refuseTarget } from '../http/requests/target.js';
import { forwarding, ownAnswer, type ForwardDeps } from './forward.js';

export interface RouteDeps extends ForwardDeps {
  bodies: BodyBudget;
}

/** Registers the routes of one operation: its path and its aliases. */
export function registerOperation(fastify: FastifyInstance, op: Operation, deps: RouteDeps): void {
  for (const path of [op.path, ...op.aliases]) {
    const url = `/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => (name === op.rest ? '*' : `:${name}`))}`;
    // The root answers with and without its slash; every other path has one form.
    for (const each of path === '/' ? [url, '/v1'] : [url]) registerRoute(fastify, each, op, deps);
  }
}

function registerRoute(fastify: FastifyInstance, url: string, op: Operation, deps: RouteDeps): void {
  fastify.route({
    method: op.method,
    url,
    bodyLimit: op.bodyLimit,
    config: { operation: op },
    onRequest: [...(op.rest === undefined ? [] : [nameRest(op.rest)]), checkRequest(op, deps), requireToken(op)],
    handler: op.service === 'gateway' ? ownAnswer(op, deps) : forwarding(op, deps),
  });
}

/** Gives the rest of the path, which the router calls `*`, the name of its parameter. */
function nameRest(name: string): Hook {
  return (request, _reply, done) => {
    const { '*': rest = '', ...others } = request.params as Record<string, string>;
    request.params = { ...others, [name]: rest };
    done();
  };
}

/** Refuses what is wrong no matter who calls, before the body is read. */
function checkRequest(op: Operation, deps: RouteDeps): Hook {
  return (request, reply, done) => {
    if (op.deprecated !== undefined) reply.headers(deprecationHeaders(op.deprecated));
    // The body of an operation that takes none is not read, so its type does not matter.
    if (op.body === undefined) delete request.raw.headers['content-type'];
    done(
      refuseTarget(request.raw.url ?? '') ??
        refuseEmpty(request.params as Record<string, string>) ??
        reserveBody(op, request, reply, deps.bodies) ??
        undefined,
    );
  };
}

/**
 * Reserves memory for the body of a request. A body of unknown length counts as the largest allowed one, a compressed
 * body as what it may become.
 */
function reserveBody(op: Operation, request: FastifyRequest, reply: FastifyReply, bodies: BodyBudget): AppError | null {
  const { headers } = request.raw;
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : op.bodyLimit;
  if (length === 0 || request.method === 'GET' || request.method === 'HEAD') return null;
  const held = headers['content-encoding'] === undefined ? length : maxDecoded(length, op.bodyLimit);
  try {
    reply.raw.once('close', bodies.take(Math.min(held, op.bodyLimit)));
    return null;
  } catch (error) {
    return error as AppError;
  }
}
