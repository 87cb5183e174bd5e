import { wireHeader, type Operation } from '@scriptorium/contracts';
import { cachedTag } from '@scriptorium/platform/entity-tag';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../http/accept.js';
import { headerForm, addLink } from '../http/answer.js';
import { answerConditions } from '../http/conditions.js';
import { parametersOf } from '../input/query.js';
import type { ServiceAnswer } from '../services/client.js';

/** Media type of JSON answers. */
export const jsonType = 'application/json; charset=utf-8';

const successForm = /^20\d$/;
/** A redirect to an identity provider has a long address. */
const redirectForm = /^[\x21-\x7e]{1,8192}$/;

/** Sends what a service answered. */
export function sendAnswer(
  op: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ServiceAnswer,
): FastifyReply {
  const { body } = answer;
  const given = answer.headers[wireHeader.status];
  const status = given !== undefined && successForm.test(given) ? Number(given) : op.status;
  const location = answer.headers[wireHeader.location];
  reply.code(status);
  if (location !== undefined && (status === 302 ? redirectForm : headerForm).test(location))
    reply.header('location', location);
  if (status === 302) return reply.header('content-length', '0').send();
  const maxAge = maxAgeOf(op, answer);
  if (maxAge > 0) reply.header('cache-control', `private, max-age=${maxAge}`);
  linkNextPage(op, request, reply, answer);
  if (answerConditions(op, request, reply, answer)) return reply;
  if (status === 204) return reply.send();
  if (status === 205 || body.length === 0) return reply.header('content-length', '0').send();
  if (op.produces === 'application/json') return reply.header('content-type', jsonType).send(body);
  return reply.header('content-type', textType(op)).send(JSON.parse(new TextDecoder().decode(body)));
}

/** Seconds for which an answer may be used again: those of its operation, or fewer when the service says so. */
function maxAgeOf({ maxAgeSeconds }: Operation, { headers }: ServiceAnswer): number {
  const given = headers[wireHeader.maxAge] ?? '';
  return /^\d{1,9}$/.test(given) ? Math.min(maxAgeSeconds, Number(given)) : maxAgeSeconds;
}

/** Texts are UTF-8. XML says so itself. */
function textType({ produces }: Operation): string {
  return produces.startsWith('text/') ? `${produces}; charset=utf-8` : produces;
}

/**
 * An answer with its references replaced. Its entity tag is made of the service's tag and a hash of the composed body.
 */
export function composed(answer: ServiceAnswer, body: Uint8Array): ServiceAnswer {
  const tag = answer.headers[wireHeader.etag];
  if (tag === undefined) return { ...answer, body };
  return { body, headers: { ...answer.headers, [wireHeader.etag]: `${tag}${cachedTag(body)}` } };
}

/** Links the answer of a list to its next page, which is the same request with another cursor. */
export function linkNextPage(op: Operation, request: FastifyRequest, reply: FastifyReply, answer: ServiceAnswer): void {
  const cursor = answer.headers[wireHeader.next];
  // The address is for GET: what a POST has in its body would be missing.
  if (cursor === undefined || op.method !== 'GET' || !headerForm.test(cursor)) return;
  const url = request.raw.url ?? '/';
  const query = new URLSearchParams(parametersOf(url));
  query.set(cursorParameter(op, query), cursor);
  addLink(reply, `<${quoted(pathOf(url))}?${query.toString()}>; rel="next"`);
}

/** A path in which the characters are encoded that would end the address in the header. */
function quoted(path: string): string {
  return path.replace(/[^\x21-\x7e]|[<>"]/g, encodeURIComponent);
}

/** The query parameter that takes the cursor. A list that is read behind a cursor goes on behind the next one. */
function cursorParameter({ stream, query }: Operation, given: URLSearchParams): string {
  if (stream !== undefined && (given.has(stream.after) || !('page' in query.shape))) return stream.after;
  return 'page';
}
