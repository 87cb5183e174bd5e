import type { Reason } from './errors.js';
import { isList, type Operation } from './operation.js';

type Json = Record<string, unknown>;

/*
 * What requests of every operation can ask for beside their input, and what answers tell beside their body. The gateway and
 * the platform do all of it; an operation only says what it is.
 */

const header = (name: string, description: string, schema: Json = { type: 'string' }): Json => ({ name, in: 'header', required: false, description, schema });

const idempotencyKey = header(
  'Idempotency-Key',
  'Makes the request safe to repeat for 24 hours: the same key and request get the first answer again, another request is refused.',
  { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
);
const ifMatch = header('If-Match', 'Strong entity tags as `ETag` gave them, or `*`: change only what still has one of them. Weak ones match nothing.');
const ifNoneMatch = header('If-None-Match', 'Entity tags as `ETag` gave them: answer 304 when the answer has one of them.');
const after = header('Scriptorium-After', 'A position as `Scriptorium-Position` gave it: answer nothing older, wait for at most 2 s.', { type: 'string', pattern: '^[0-9]+$' });
const dryRun: Json = {
  name: 'dryRun',
  in: 'query',
  required: false,
  description: 'Check, decide and answer as if it were done, and record nothing.',
  schema: { type: 'boolean', default: false },
};

const asOf: Json = {
  name: 'asOf',
  in: 'query',
  required: false,
  description:
    'Show the resource as it was at this moment, or at a position as `Scriptorium-Position` gave it. Permissions, data of people and what is counted elsewhere are as they are now. Such an answer has no `ETag`.',
  schema: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'string', pattern: '^[0-9]{1,19}$' }] },
};

const lastEventId = header('Last-Event-ID', 'Goes on behind this message of a stream, as reconnecting clients send it; goes before the query.');

/** The other form of a list that can be followed. */
export function streamContent({ stream }: Operation): Json {
  if (stream === undefined) return {};
  const description =
    'The items one by one as server-sent events, and then each as it happens: `data` is an item as JSON, `id` the cursor behind it. Comments keep the connection alive. A last message `end` has the `error` for which the stream ends, if it is one.';
  return { 'text/event-stream': { schema: { type: 'string', description } } };
}

/** Answers are kept for a caller: where there is none, nothing is kept. */
function isAnonymous({ access }: Operation): boolean {
  return access.tokens.length === 0;
}

/** Headers and query parameters of an operation besides those it declares. `tagged`: a GET of the same path shows an entity tag. */
export function conditionParameters(op: Operation, tagged: boolean): Json[] {
  if (op.service === 'gateway' || op.status === 302) return [];
  if (op.kind === 'read') return [ifNoneMatch, after, ...(op.history === undefined ? [] : [asOf]), ...(op.stream === undefined ? [] : [lastEventId])];
  if (isAnonymous(op)) return [];
  return [idempotencyKey, ...(tagged ? [ifMatch] : []), ...(op.dryRun ? [dryRun] : [])];
}

/** Reasons of a refusal that come with them. */
export function conditionReasons(op: Operation, tagged: boolean): Reason[] {
  if (op.kind === 'read') return op.history === undefined ? [] : ['history_too_long'];
  if (isAnonymous(op)) return [];
  return ['idempotency_key_reused', 'idempotency_in_progress', ...(tagged ? (['precondition_failed'] as const) : [])];
}

const text = (description: string): Json => ({ description, schema: { type: 'string' } });
const whole = (description: string): Json => ({ description, schema: { type: 'integer' } });

const limited: Json = {
  'X-RateLimit-Limit': whole('Requests a minute; absent while rates are not limited.'),
  'X-RateLimit-Remaining': whole('Requests left of them.'),
  'X-RateLimit-Reset': whole('When all are there again, in seconds since 1970.'),
};

/** Headers of a refusal. */
export function refusalHeaders(status: number): Json {
  return {
    'X-Request-Id': text('Names the request in logs and errors.'),
    ...limited,
    Link: text('The page of the reason, as `rel="help"`.'),
    ...(status === 401 ? { 'WWW-Authenticate': text('`Bearer`.') } : {}),
    ...(status === 409 || status === 429 || status === 503 ? { 'Retry-After': whole('Seconds after which to try again.') } : {}),
  };
}

/** Headers of a successful answer. */
export function conditionHeaders(op: Operation): Json {
  const always = { 'X-Request-Id': text('Names the request in logs and errors.'), ...limited };
  if (op.service === 'gateway') return always;
  if (op.status === 302) return { ...always, Location: text('Where the browser goes on.') };
  if (op.kind === 'read') return { ...always, ETag: text(isList(op) ? 'Weak entity tag of this answer.' : 'Strong entity tag of this answer.') };
  if (isAnonymous(op)) return always;
  return {
    ...always,
    ...(op.status === 201 ? { Location: text('Address of the created object.') } : {}),
    'Scriptorium-Position': text('Position of the change in the log; absent when nothing changed.'),
    'Idempotency-Replayed': text('`true`: the first answer to this Idempotency-Key.'),
  };
}
