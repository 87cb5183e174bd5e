import { isList, leastDigestedBytes, wireHeader, type Operation } from '@scriptorium/contracts';
import { CachedResponse, nextIn, Redirect, Reply, WithSession } from '../handlers/results.js';
import { cachedTag } from '../handlers/entity-tag.js';
import type { WireReply } from '../handlers/exchange.js';
import type { AnyOperation } from '../handlers/handles.js';

const empty = new Uint8Array();

/** Encodes the result of a handler into bytes and headers. */
export function encode(op: AnyOperation, result: unknown): WireReply {
  if (result instanceof WithSession) {
    const { body, headers } = encode(op, result.result);
    return { body, headers: { ...headers, [wireHeader.session]: result.session ?? '' } };
  }
  if (result instanceof Reply) return replied(op, result);
  if ('internal' in op) return { body: Buffer.from(JSON.stringify(result)) };
  if (result instanceof Redirect) return { body: empty, headers: { [wireHeader.location]: result.location } };
  if (op.method === 'DELETE') return deleted(result === true);
  if (op.response === undefined) return { body: empty };
  if (result instanceof CachedResponse)
    return { body: result.json, headers: { [wireHeader.etag]: result.tag, ...nextPage(op, result.next) } };
  const body = Buffer.from(JSON.stringify(result));
  if (op.method === 'GET')
    return { body, headers: { [wireHeader.etag]: cachedTag(body), ...nextPage(op, nextIn(result)) } };
  const location = op.status === 201 ? (result as { urls?: { location?: string } }).urls?.location : undefined;
  return location === undefined ? { body } : { body, headers: { [wireHeader.location]: location } };
}

/** The header with the cursor of the next page of a list. */
function nextPage(op: Operation, next: string | undefined): Record<string, string> {
  return next === undefined || !isList(op) ? {} : { [wireHeader.next]: next };
}

function replied(op: AnyOperation, { result, told }: Reply<unknown>): WireReply {
  const { status, location, waited, maxAgeSeconds } = told;
  const headers = status === undefined ? {} : { [wireHeader.status]: String(status) };
  if (status === 204) return { body: empty, headers };
  const reply = encode(op, result);
  return {
    ...reply,
    headers: {
      // Nothing was created.
      ...(status === 200 ? {} : reply.headers),
      ...headers,
      ...(location !== undefined && { [wireHeader.location]: location }),
      ...(waited === true && { [wireHeader.waited]: 'true' }),
      ...(maxAgeSeconds !== undefined && { [wireHeader.maxAge]: String(maxAgeSeconds) }),
    },
  };
}

/**
 * The reply to a read, without its body when the gateway has the same bytes. `known`: their digest, as the gateway told
 * it.
 */
export function unlessKnown(reply: WireReply, known: string | undefined): WireReply {
  const { body, headers } = reply;
  if (body.length < leastDigestedBytes) return reply;
  const digest = cachedTag(body);
  return { body: digest === known ? empty : body, headers: { ...headers, [wireHeader.digest]: digest } };
}

/** The reply to a DELETE: 205 when something was deleted, otherwise 204. */
export function deleted(something: boolean): WireReply {
  return { body: empty, headers: { [wireHeader.status]: something ? '205' : '204' } };
}
