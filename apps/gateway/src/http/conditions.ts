import type { IncomingHttpHeaders } from 'node:http';
import { isList, wireHeader, type ErrorDetail, type Operation } from '@scriptorium/contracts';
import { tagLength } from '@scriptorium/platform/entity-tag';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceAnswer } from '../ports.js';
import { asOfHeader } from './as-of.js';
import { plainTag, vary } from './compression.js';
import { visible } from './headers.js';

const keyForm = /^[\x21-\x7e]{1,255}$/;
const positionForm = /^\d{1,19}$/;
const tagForm = /^"[\w-]{1,64}"$/;
const tagsInList = 20;

type Wire = Record<string, string>;

/**
 * What a request asks for beside its input, as headers for the service: `Idempotency-Key`, `If-Match` and `?dryRun` of a
 * change, `Scriptorium-After` and `?asOf` of a read. Names in `failed` what is malformed.
 */
export function conditionHeaders(op: Operation, headers: IncomingHttpHeaders, query: URLSearchParams, failed: ErrorDetail[]): Wire {
  if (op.service === 'gateway') return {};
  const fail = (path: string, message: string): Wire => {
    failed.push({ path, message });
    return {};
  };
  if (op.kind === 'read') return { ...afterOf(headers, fail), ...asOfHeader(op, query, fail) };
  return { ...keyOf(headers, fail), ...matchOf(headers, fail), ...dryRunOf(op, query, fail) };
}

type Fail = (path: string, message: string) => Wire;

function keyOf({ 'idempotency-key': key }: IncomingHttpHeaders, fail: Fail): Wire {
  if (key === undefined) return {};
  if (typeof key !== 'string' || !keyForm.test(key)) return fail('headers.idempotency-key', 'Must be 1 to 255 visible ASCII characters');
  return { [wireHeader.idempotencyKey]: key };
}

function matchOf({ 'if-match': given }: IncomingHttpHeaders, fail: Fail): Wire {
  if (given === undefined) return {};
  const tags = listed(given);
  if (tags === undefined) return fail('headers.if-match', 'Must be an entity tag as an ETag header gave it, a list of them, or *');
  return { [wireHeader.ifMatch]: tags.join(',') };
}

function afterOf({ 'scriptorium-after': after }: IncomingHttpHeaders, fail: Fail): Wire {
  if (after === undefined) return {};
  if (typeof after !== 'string' || !positionForm.test(after) || BigInt(after) >= 2n ** 63n) return fail('headers.scriptorium-after', 'Must be a position as a Scriptorium-Position header gave it');
  return { [wireHeader.after]: after };
}

function dryRunOf(op: Operation, query: URLSearchParams, fail: Fail): Wire {
  const [value, ...more] = query.getAll('dryRun');
  if (value === undefined || (value === 'false' && more.length === 0)) return {};
  if (value !== 'true' || more.length > 0) return fail('query.dryRun', 'Must be true or false');
  if (!op.dryRun) return fail('query.dryRun', 'This operation cannot be tried without its effect');
  return { [wireHeader.dryRun]: 'true' };
}

/** The tags of a list without quotes, what the tag of a composed answer has beside the service's taken off; a weak tag never matches (RFC 9110, 8.8.3.2). */
function listed(given: string): string[] | undefined {
  if (given.trim() === '*') return ['*'];
  const tags = given.split(',').map((tag) => tag.trim());
  if (tags.length > tagsInList || !tags.every((tag) => tagForm.test(withoutWeakness(tag)))) return undefined;
  return tags.filter((tag) => tag.startsWith('"')).map((tag) => tag.slice(1, -1).slice(0, tagLength));
}

/**
 * The tag under which a client that says `If-None-Match` has this answer already, in whatever coding. Compares weakly (RFC
 * 9110, 13.1.2).
 */
function findKnown({ 'if-none-match': given }: IncomingHttpHeaders, etag: string): string | undefined {
  if (given === undefined) return undefined;
  if (given.trim() === '*') return etag;
  const opaque = withoutWeakness(etag);
  const known = given.split(',').map((one) => withoutWeakness(one.trim())).find((one) => one === opaque || plainTag(one) === opaque);
  return known === undefined || etag === opaque ? known : etag;
}

function withoutWeakness(etag: string): string {
  return etag.replace(/^W\//, '');
}

/** Says in an answer what later requests can refer to. True when the client has the answer already and nothing more is to be said. */
export function answerConditions(op: Operation, { raw }: FastifyRequest, reply: FastifyReply, { headers }: ServiceAnswer): boolean {
  const { [wireHeader.etag]: tag, [wireHeader.position]: at, [wireHeader.replayed]: replayed } = headers;
  if (replayed === 'true') reply.header('idempotency-replayed', 'true');
  if (at !== undefined && positionForm.test(at)) reply.header('scriptorium-position', at);
  if (tag === undefined || !visible.test(tag)) return false;
  // Kept by nobody but the caller, and asked about before each use.
  const credentials = op.access.tokens.includes('session') ? 'Authorization, Cookie' : 'Authorization';
  const etag = isList(op) ? `W/"${tag}"` : `"${tag}"`;
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  vary(reply, credentials);
  const known = findKnown(raw.headers, etag);
  if (known === undefined) return false;
  void reply.code(304).header('etag', known).send();
  return true;
}
