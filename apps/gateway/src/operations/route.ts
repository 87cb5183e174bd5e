import type { FastifyInstance } from 'fastify';
import type { Operation } from '@scriptorium/contracts';
import { requireToken } from '../auth/authentication.js';
import { holdBody, type BodyBudget } from '../http/body.js';
import { deprecationHeaders } from '../http/answer.js';
import { refuseEmpty, refuseTarget, type Hook } from '../http/accept.js';
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
    onRequest: [
      ...(op.rest === undefined ? [] : [nameRest(op.rest)]),
      checkRequest(op),
      holdBody(deps.bodies, op.bodyLimit),
      requireToken(op),
    ],
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
function checkRequest(op: Operation): Hook {
  return (request, reply, done) => {
    if (op.deprecated !== undefined) reply.headers(deprecationHeaders(op.deprecated));
    // The body of an operation that takes none is not read, so its type does not matter.
    if (op.body === undefined) delete request.raw.headers['content-type'];
    done(refuseTarget(request.raw.url ?? '') ?? refuseEmpty(request.params as Record<string, string>));
  };
}
