import type { IncomingHttpHeaders } from 'node:http';
import { isList, wireHeader, type ErrorDetail, type Operation } from '@scriptorium/contracts';
import { tagLength } from '@scriptorium/platform/entity-tag';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { waitOf } from './preferences.js';
import type { ServiceAnswer } from '../../services/requester.js';
import { asOfHeader } from './as-of.js';
import { plainTag, vary } from './compression.js';
import { headerForm } from './headers.js';

const keyForm = /^[\x21-\x7e]{1,255}$/;
const positionForm = /^\d{1,19}$/;
const tagForm = /^"[\w-]{1,64}"$/;
const tagsInList = 20;

type Wire = Record<string, string>;

/**
 * Conditions of a request as headers for the service: `Idempotency-Key`, `If-Match`, `Prefer: wait` and `?dryRun` of a
 * write, `Scriptorium-After` and `?asOf` of a read. Adds malformed ones to `failed`.
 */
export function conditionHeaders(
  op: Operation,
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
  failed: ErrorDetail[],
): Wire {
  if (op.service === 'gateway') return {};
  const fail = (path: string, message: string): Wire => {
    failed.push({ path, message });
    return {};
  };
  if (op.kind === 'read') return { ...afterOf(headers, fail), ...asOfHeader(op, query, fail), ...waiting(op, headers) };
  return { ...keyOf(headers, fail), ...matchOf(headers, fail), ...dryRunOf(op, query, fail), ...waiting(op, headers) };
}

function waiting({ waitsSeconds }: Operation, headers: IncomingHttpHeaders): Wire {
  const seconds = waitOf(headers, waitsSeconds);
  return seconds === 0 ? {} : { [wireHeader.wait]: String(seconds) };
}

/** The query parameters that are conditions and are looked at, whether the operation has them or refuses them. */
export function conditionParameters({ service, kind }: Operation): readonly string[] {
  if (service === 'gateway') return [];
  return kind === 'read' ? ['asOf'] : ['dryRun'];
}

type Fail = (path: string, message: string) => Wire;

function keyOf({ 'idempotency-key': key }: IncomingHttpHeaders, fail: Fail): Wire {
  if (key === undefined) return {};
  if (typeof key !== 'string' || !keyForm.test(key))
    return fail('headers.idempotency-key', 'Must be 1 to 255 visible ASCII characters');
  return { [wireHeader.idempotencyKey]: key };
}

function matchOf({ 'if-match': given }: IncomingHttpHeaders, fail: Fail): Wire {
  if (given === undefined) return {};
  const tags = listed(given);
  if (tags === undefined)
    return fail('headers.if-match', 'Must be an entity tag of an ETag header, a list of them, or *');
  return { [wireHeader.ifMatch]: tags.join(',') };
}

function afterOf({ 'scriptorium-after': after }: IncomingHttpHeaders, fail: Fail): Wire {
  if (after === undefined) return {};
  if (typeof after !== 'string' || !positionForm.test(after) || BigInt(after) >= 2n ** 63n)
    return fail('headers.scriptorium-after', 'Must be a position of a Scriptorium-Position header');
  return { [wireHeader.after]: after };
}

function dryRunOf(op: Operation, query: URLSearchParams, fail: Fail): Wire {
  const [value, ...more] = query.getAll('dryRun');
  if (value === undefined || (value === 'false' && more.length === 0)) return {};
  if (value !== 'true' || more.length > 0) return fail('query.dryRun', 'Must be true or false');
  if (!op.dryRun) return fail('query.dryRun', 'This operation has no dry run');
  return { [wireHeader.dryRun]: 'true' };
}

/**
 * The tags of a list without quotes, each cut to the part that the service made. Weak tags never match (RFC 9110,
 * 8.8.3.2) and are left out.
 */
function listed(given: string): string[] | undefined {
  if (given.trim() === '*') return ['*'];
  const tags = given.split(',').map((tag) => tag.trim());
  if (tags.length > tagsInList || !tags.every((tag) => tagForm.test(withoutWeakness(tag)))) return undefined;
  return tags.filter((tag) => tag.startsWith('"')).map((tag) => tag.slice(1, -1).slice(0, tagLength));
}

/**
 * The tag of `If-None-Match` that matches an answer, in any coding; undefined if none does. Compares weakly (RFC 9110,
 * 13.1.2).
 */
function matchingTag({ 'if-none-match': given }: IncomingHttpHeaders, etag: string): string | undefined {
  if (given === undefined) return undefined;
  if (given.trim() === '*') return etag;
  const opaque = withoutWeakness(etag);
  const known = given
    .split(',')
    .map((one) => withoutWeakness(one.trim()))
    .find((one) => one === opaque || plainTag(one) === opaque);
  return known === undefined || etag === opaque ? known : etag;
}

function withoutWeakness(etag: string): string {
  return etag.replace(/^W\//, '');
}

/**
 * Puts entity tag, position, replay and what it has waited for into the headers of an answer. Answers 304 and returns
 * true if the client has the answer already.
 */
export function answerConditions(
  op: Operation,
  { raw }: FastifyRequest,
  reply: FastifyReply,
  { headers }: ServiceAnswer,
): boolean {
  const { [wireHeader.etag]: tag, [wireHeader.position]: at, [wireHeader.replayed]: replayed } = headers;
  if (replayed === 'true') reply.header('idempotency-replayed', 'true');
  if (headers[wireHeader.waited] === 'true') sayWaited(reply, waitOf(raw.headers, op.waitsSeconds));
  if (at !== undefined && positionForm.test(at)) reply.header('scriptorium-position', at);
  // Entity tags are for GET: nothing stores the answer to another method.
  if (op.method !== 'GET' || tag === undefined || !headerForm.test(tag)) return false;
  // Only the caller may store the answer, and must ask about it before each use.
  const credentials = op.access.tokens.includes('session') ? 'Authorization, Cookie' : 'Authorization';
  const etag = isList(op) ? `W/"${tag}"` : `"${tag}"`;
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  vary(reply, credentials);
  const known = matchingTag(raw.headers, etag);
  if (known === undefined) return false;
  void reply.code(304).header('etag', known).send();
  return true;
}

/** The first answer to a key may be sent again to a request that prefers something else. */
function sayWaited(reply: FastifyReply, seconds: number): void {
  if (seconds === 0) return;
  const strict = reply.getHeader('preference-applied');
  reply.header('preference-applied', [strict, `wait=${seconds}`].filter((one) => one !== undefined).join(', '));
}
