import type * as z from 'zod';
import { isList, type Operation } from '../kernel/operation.js';
import { share, type Components, type Json } from './components.js';
import { isAnonymous } from './openapi-conditions.js';

const text = (description: string): Json => ({ description, schema: { type: 'string' } });
const whole = (description: string): Json => ({ description, schema: { type: 'integer' } });

/** Headers of answers, by the names of their components. Gateway and platform set them. */
const parts = {
  RequestId: text('Names the request in logs and errors.'),
  RateLimit: whole('Requests a minute; absent if the rate is not limited.'),
  RateRemaining: whole('Remaining requests.'),
  RateReset: whole('When all requests are available again, in seconds since 1970.'),
  Ignored: text(
    'Fields and parameters of the request that nothing reads, such as `body.titel, query.limt`: at most 20, with `...` for more, percent-encoded.',
  ),
  Applied: text('`handling=strict` if the request asked for it in `Prefer`.'),
  AppliedWait: text('What the request preferred and the answer respects: `wait=10, handling=strict`.'),
  Help: text('The page of the reason, as `rel="help"`.'),
  NextPage: text(
    'The next page, as `rel="next"`: the path and the query of this request with another cursor. Absent on the last page.',
  ),
  Challenge: text('`Bearer`, with 401.'),
  RetryAfter: whole('Seconds after which to try again.'),
  Redirect: text('The address of the redirect.'),
  StrongTag: text('Strong entity tag of this answer.'),
  Created: text('Address of the created object, if it has one.'),
} satisfies Record<string, Json>;

type Names = Record<string, keyof typeof parts>;

const always: Names = {
  'X-Request-Id': 'RequestId',
  'X-RateLimit-Limit': 'RateLimit',
  'X-RateLimit-Remaining': 'RateRemaining',
  'X-RateLimit-Reset': 'RateReset',
};
/**
 * Describes the headers of every answer. The document does it once: repeated for each operation they would be a tenth
 * of it.
 */
export const commonHeaders = [
  'Every answer has `X-Request-Id`, which names the request in logs and errors.',
  'Where the rate of requests is limited, `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` tell the requests a minute, those that remain, and when all are available again, in seconds since 1970.',
  '`Scriptorium-Ignored` names fields and parameters of the request that nothing reads, and `Preference-Applied` what of `Prefer` was applied.',
  'Lists have a weak `ETag`.',
  'The answer to a change has `Scriptorium-Position`, the position of the change in the log, unless nothing changed; `Idempotency-Replayed: true` means that it is the first answer to the `Idempotency-Key`, sent again.',
].join(' ');

/** How the request was handled; also refusals of services have these headers. */
const handled: Names = { 'Scriptorium-Ignored': 'Ignored', 'Preference-Applied': 'Applied' };

/** Headers of a refusal. */
export function refusalHeaders(status: number | undefined, components: Components): Json {
  return among(components, {
    ...always,
    Link: 'Help',
    ...(status === 400 ? handled : {}),
    ...(status === undefined || status === 401 ? { 'WWW-Authenticate': 'Challenge' } : {}),
    ...(status === undefined || status === 409 || status === 503 ? { 'Retry-After': 'RetryAfter' } : {}),
  });
}

/** Headers of a successful answer, besides those that every answer has. */
export function answerHeaders(op: Operation, status: number, components: Components): Json {
  const waited: Names = op.waitsSeconds > 0 ? { 'Preference-Applied': 'AppliedWait' } : {};
  return among(components, { ...waited, ...ownHeaders(op, status) });
}

function ownHeaders(op: Operation, status: number): Names {
  if (op.service === 'gateway') return {};
  if (op.status === 302) return { Location: 'Redirect' };
  if (op.kind === 'read') {
    // Entity tags are for GET: nothing keeps the answer to a POST.
    if (op.method !== 'GET') return {};
    return isList(op) ? (isPaged(op) ? { Link: 'NextPage' } : {}) : { ETag: 'StrongTag' };
  }
  return status === 201 && !isAnonymous(op) ? { Location: 'Created' } : {};
}

/** Whether an operation answers with a page of a list. */
function isPaged(op: Operation): boolean {
  return isList(op) && 'next' in (op.response as z.ZodObject).shape;
}

function among(components: Components, names: Names): Json {
  return Object.fromEntries(
    Object.entries(names).map(([header, name]) => [header, share(components, 'headers', name, parts[name])]),
  );
}
