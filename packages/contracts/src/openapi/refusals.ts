import type { Reason } from '../kernel/errors.js';
import { conditionReasons } from './openapi-conditions.js';
import { isList, statusOf, type Operation } from '../kernel/operation.js';

/** Reasons for which any request can be refused. */
const anywhere = [
  'invalid_request',
  'request_timeout',
  'misdirected',
  'rate_limited',
  'headers_too_large',
  'unexpected',
  'unavailable',
] as const;

/**
 * Paths where a GET answers a single resource. Such an answer has a strong entity tag, which changes can name in
 * `If-Match`.
 */
export function shownPaths(table: readonly Operation[]): ReadonlySet<string> {
  return new Set(table.filter((op) => op.method === 'GET' && !isList(op)).map(({ path }) => path));
}

/**
 * Every reason for which an operation of a table can be refused, by status: its declared reasons, and those that follow
 * from its properties and from the conditions of requests.
 */
export function refusalsOf(table: readonly Operation[]): (op: Operation) => Reason[] {
  const shown = shownPaths(table);
  return (op) => {
    const reasons: Reason[] = [...anywhere, ...op.reasons, ...conditionReasons(op, shown.has(op.tagOf ?? op.path))];
    if (op.access.tokens.length > 0) reasons.push('unauthenticated', 'forbidden');
    if (op.path.includes('{')) reasons.push('not_found');
    if (op.body !== undefined) reasons.push('too_large', 'unsupported_media_type', 'field_not_taken');
    if (op.kind === 'write') reasons.push('conflict');
    return [...new Set(reasons)].sort((a, b) => statusOf(op, a) - statusOf(op, b));
  };
}
