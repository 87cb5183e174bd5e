import { answerSCIM, AppError, reasonStatus, requireNone, wireHeader, type ErrorDetail } from '@scriptorium/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { codingOf, decodeBody, holdBody, type BodyBudget } from '../http/body.js';
import { toAppError } from '../http/errors.js';
import type { Hook } from '../http/accept.js';
import { parseJsonBody } from '../input/body.js';
import type { Logger } from '../server/logger.js';
import type { Requester } from '../services/client.js';

/** Below it, identity providers provision members and teams of an organization. */
const scimPath = '/scim/v2/organizations/:organizationId/*';
const contentType = 'application/scim+json; charset=utf-8';
const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';
const bodyLimit = 1024 * 1024;
const jsonForm = /^application\/(?:scim\+)?json\s*(?:;|$)/i;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export interface SCIMDeps {
  client: Requester;
  bodies: BodyBudget;
  logger: Logger;
}

/** Passes requests by SCIM (RFC 7644) on to identity, and answers in SCIM's form whatever happens to them. */
export async function registerSCIM(fastify: FastifyInstance, deps: SCIMDeps): Promise<void> {
  await fastify.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, parsed) => {
      readBody(request, body).then((value) => parsed(null, value), parsed);
    });
    scope.setErrorHandler((error, request, reply) => refuse(toAppError(error), request, reply, deps.logger));
    scope.route({
      method: [...methods],
      url: scimPath,
      bodyLimit,
      config: { provisioning: true },
      onRequest: [requireProvisioner, holdBody(deps.bodies, bodyLimit)],
      handler: (request, reply) => forward(request, reply, deps),
    });
    done();
  });
}

const requireProvisioner: Hook = ({ caller, authError }, _reply, done) => {
  if (caller?.principal.kind === 'provisioner') return done();
  if (caller === null) return done(authError ?? new AppError('unauthenticated'));
  done(new AppError('forbidden', [], { message: 'SCIM needs a SCIM token of the organization' }));
};

async function readBody({ headers }: FastifyRequest, body: Buffer): Promise<unknown> {
  if (body.length === 0) return undefined;
  if (!jsonForm.test(headers['content-type'] ?? ''))
    throw new AppError('unsupported_media_type', [], { message: 'The body must be application/scim+json' });
  const coding = codingOf(headers['content-encoding']);
  const plain = coding === undefined ? body : await decodeBody(body, coding, bodyLimit);
  const failed: ErrorDetail[] = [];
  const value = parseJsonBody(plain, failed);
  requireNone(failed);
  return value;
}

async function forward(request: FastifyRequest, reply: FastifyReply, deps: SCIMDeps): Promise<FastifyReply> {
  const { organizationId = '', '*': rest = '' } = request.params as Record<string, string>;
  const input: z.input<typeof answerSCIM.input> = {
    params: { organizationId },
    method: request.method === 'HEAD' ? 'GET' : (request.method as (typeof methods)[number]),
    path: rest.split('/').filter((part) => part !== ''),
    query: queryOf(request.raw.url ?? ''),
    ...(request.body === undefined ? {} : { body: request.body }),
  };
  const { service, id: operation, deadlineMs: timeoutMs } = answerSCIM;
  const answer = await deps.client.request({
    service,
    operation,
    body: Buffer.from(JSON.stringify(input)),
    headers: { [wireHeader.requestId]: request.id },
    timeoutMs,
    reads: input.method === 'GET',
    caller: request.caller,
  });
  const { status, body, location } = answerSCIM.response.parse(JSON.parse(new TextDecoder().decode(answer.body)));
  if (location !== undefined) reply.header('location', location);
  if (body === undefined) return reply.code(status).send();
  return reply.code(status).header('content-type', contentType).send(JSON.stringify(body));
}

/** The parameters of a query. One that is given twice counts as it is given first. */
function queryOf(url: string): Record<string, string> {
  const { searchParams } = new URL(url, 'http://gateway');
  return Object.fromEntries([...searchParams].reverse());
}

function refuse(error: AppError, request: FastifyRequest, reply: FastifyReply, logger: Logger): FastifyReply {
  request.refusedFor = error.reason;
  if (error.reason === 'unexpected')
    logger.error({ err: error.cause ?? error, requestId: request.id }, 'A request by SCIM failed unexpectedly');
  if (error.reason === 'unauthenticated') reply.header('www-authenticate', 'Bearer');
  if (error.retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(error.retryAfter))));
  const status = reasonStatus[error.reason];
  const scimType = status === 400 ? { scimType: 'invalidSyntax' } : {};
  const body = { schemas: [errorSchema], status: String(status), ...scimType, detail: error.message };
  return reply.code(status).header('content-type', contentType).send(JSON.stringify(body));
}
