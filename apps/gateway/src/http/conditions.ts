import type { IncomingHttpHeaders } from 'node:http';
import { AppError, invalid, wireHeader, type Operation } from '@scriptorium/contracts';
import { tagLength } from '@scriptorium/platform/entity-tag';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parametersOf } from '../input/query.js';
import type { ServiceAnswer } from '../ports.js';
import { asOfHeader } from './as-of.js';
import { visible } from './headers.js';

const keyForm = /^[\x21-\x7e]{1,255}$/;
const positionForm = /^\d{1,19}$/;
const tagForm = /^"[\w-]{1,64}"$/;
const tagsInList = 20;

/**
 * What a request asks for beside its input, as headers for the service: `Idempotency-Key`, `If-Match` and `?dryRun` of a
 * change, `Scriptorium-After` and `?asOf` of a read. @throws `invalid_request` naming the header that is malformed
 */
export function conditionHeaders(op: Operation, headers: IncomingHttpHeaders, url: string): Record<string, string> {
  return op.kind === 'write' ? { ...keyOf(headers), ...matchOf(headers), ...dryRunOf(op, url) } : { ...afterOf(headers), ...asOfHeader(op, url) };
}

function keyOf({ 'idempotency-key': key }: IncomingHttpHeaders): Record<string, string> {
  if (key === undefined) return {};
  if (typeof key !== 'string' || !keyForm.test(key)) throw malformed('Idempotency-Key', 'Must be 1 to 255 visible ASCII characters');
  return { [wireHeader.idempotencyKey]: key };
}

function matchOf({ 'if-match': given }: IncomingHttpHeaders): Record<string, string> {
  if (given === undefined) return {};
  const tags = listed(given);
  if (tags === undefined) throw malformed('If-Match', 'Must be an entity tag as an ETag header gave it, a list of them, or *');
  return { [wireHeader.ifMatch]: tags.join(',') };
}

function afterOf({ 'scriptorium-after': after }: IncomingHttpHeaders): Record<string, string> {
  if (after === undefined) return {};
  if (typeof after !== 'string' || !positionForm.test(after) || BigInt(after) >= 2n ** 63n) throw malformed('Scriptorium-After', 'Must be a position as a Scriptorium-Position header gave it');
  return { [wireHeader.after]: after };
}

function dryRunOf(op: Operation, url: string): Record<string, string> {
  const [value, ...more] = parametersOf(url)?.getAll('dryRun') ?? [];
  if (value === undefined || (value === 'false' && more.length === 0)) return {};
  if (value !== 'true' || more.length > 0) throw invalid('query.dryRun', 'Must be true or false');
  if (!op.dryRun) throw invalid('query.dryRun', 'This operation cannot be tried without its effect');
  return { [wireHeader.dryRun]: 'true' };
}

/** The tags of a list without quotes, what the tag of a composed answer has beside the service's taken off; a weak tag never matches (RFC 9110, 8.8.3.2). */
function listed(given: string): string[] | undefined {
  if (given.trim() === '*') return ['*'];
  const tags = given.split(',').map((tag) => tag.trim());
  if (tags.length > tagsInList || !tags.every((tag) => tagForm.test(tag.replace(/^W\//, '')))) return undefined;
  return tags.filter((tag) => tag.startsWith('"')).map((tag) => tag.slice(1, -1).slice(0, tagLength));
}

function malformed(header: string, message: string): AppError {
  return new AppError('invalid_request', [{ path: `headers.${header.toLowerCase()}`, message }], { message: `${header}: ${message}` });
}

/** Whether a client that says `If-None-Match` has this answer already. Compares weakly (RFC 9110, 13.1.2). */
function isKnown({ 'if-none-match': given }: IncomingHttpHeaders, tag: string): boolean {
  if (given === undefined) return false;
  return given.trim() === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === `"${tag}"`);
}

/** Says in an answer what later requests can refer to. True when the client has the answer already and nothing more is to be said. */
export function answerConditions(op: Operation, { raw }: FastifyRequest, reply: FastifyReply, { headers }: ServiceAnswer): boolean {
  const { [wireHeader.etag]: tag, [wireHeader.position]: at, [wireHeader.replayed]: replayed } = headers;
  if (replayed === 'true') reply.header('idempotency-replayed', 'true');
  if (at !== undefined && positionForm.test(at)) reply.header('scriptorium-position', at);
  if (tag === undefined || !visible.test(tag)) return false;
  // Kept by nobody but the caller, and asked about before each use.
  const credentials = op.access.tokens.includes('session') ? 'Authorization, Cookie' : 'Authorization';
  reply.header('etag', `"${tag}"`).header('cache-control', 'private, no-cache').header('vary', credentials);
  if (!isKnown(raw.headers, tag)) return false;
  void reply.code(304).send();
  return true;
}
