import type { IncomingHttpHeaders } from 'node:http';
import { isList, Moment, wireHeader, type ErrorDetail, type Operation } from '@scriptorium/contracts';
import { tagLength } from '@scriptorium/platform/entity-tag';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headerForm, vary } from './answer.js';
import { plainTag } from './compression.js';
import type { ServiceAnswer } from '../services/client.js';

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
  const fail: Fail = (path, message) => {
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

/** A preference: its name, and its value as a token or a quoted text (RFC 7240, 2). */
const preferenceForm = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s;,"]*))?/;
/** One element of a list; a comma inside of a quoted text does not end it. */
const elementForm = /(?:"(?:[^"\\]|\\.)*"|[^",])+/g;
/** A longer header is not read. */
const longestPreferences = 1_024;

/** The value of a preference of a request, without quotes. The first one counts. */
function preferred({ prefer }: IncomingHttpHeaders, wanted: string): string | undefined {
  if (prefer === undefined) return undefined;
  const given = [prefer].flat().join(',');
  if (given.length > longestPreferences) return undefined;
  for (const element of given.match(elementForm) ?? []) {
    const [, name, value = ''] = preferenceForm.exec(element) ?? [];
    if (name?.toLowerCase() === wanted) return value.replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}

/** Whether a request asks to be refused if it has fields that nothing reads: `Prefer: handling=strict`. */
export function wantsStrict(headers: IncomingHttpHeaders): boolean {
  return preferred(headers, 'handling') === 'strict';
}

/** The seconds that an answer may wait for work in the background, as `Prefer: wait=10` says; `most` at most. */
function waitOf(headers: IncomingHttpHeaders, most: number): number {
  const seconds = most === 0 ? undefined : preferred(headers, 'wait');
  return seconds !== undefined && /^\d{1,9}$/.test(seconds) ? Math.min(Number(seconds), most) : 0;
}

/** `?asOf` of a read as a header for the service. Calls `fail` for a malformed value. */
function asOfHeader({ history }: Operation, query: URLSearchParams, fail: Fail): Wire {
  const [asOf, ...more] = query.getAll('asOf');
  if (asOf === undefined) return {};
  // If it were ignored like other unknown parameters, the present state would be taken for a past one.
  if (history === undefined) return fail('query.asOf', 'This operation has no history');
  if (more.length > 0) return fail('query.asOf', 'Must be given once');
  if (positionForm.test(asOf)) return { [wireHeader.asOf]: asOf };
  const { data: moment, error } = Moment.safeParse(asOf);
  if (moment !== undefined) return { [wireHeader.asOf]: moment };
  return fail('query.asOf', `${error.issues.map(({ message }) => message).join('; ')}, or a position of the log`);
}
