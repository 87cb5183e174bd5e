import { wireHeader, type Operation } from '@scriptorium/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headerForm } from '../http/answers/headers.js';
import { addLink } from '../http/answers/links.js';
import { pathOf } from '../http/requests/target.js';
import { parametersOf } from '../input/query.js';
import type { ServiceAnswer } from '../services/requester.js';

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
