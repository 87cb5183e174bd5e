import type * as z from 'zod';
import type { Reason } from '../kernel/errors.js';
import { isList, type Operation } from '../kernel/operation.js';

type Json = Record<string, unknown>;

/*
 * Headers and query parameters that requests have besides the input of their operation, and headers of answers. Gateway
 * and platform implement all of them; they follow from the properties of an operation.
 */

const header = (name: string, description: string, schema: Json = { type: 'string' }): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

const idempotencyKey = header(
  'Idempotency-Key',
  'Makes the request safe to repeat for 24 hours: the same key and request get the first answer again. Each request needs a key of its own; where the same service sees a key again for another request, that is refused.',
  { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
);
const ifMatch = header(
  'If-Match',
  'Strong entity tags of `ETag` headers, or `*`: the change is made only if the resource still has one of them. Weak tags match nothing.',
);
const ifNoneMatch = header('If-None-Match', 'Entity tags of `ETag` headers: the answer is 304 if it has one of them.');
const prefer = header(
  'Prefer',
  '`handling=strict`: the request is refused if it has fields or parameters that nothing reads; otherwise they are ignored, but for fields that limit access.',
  { type: 'string', enum: ['handling=strict', 'handling=lenient'], default: 'handling=lenient' },
);
/** The preferences of an operation whose answer can wait. */
const preferToWait = (seconds: number): Json =>
  header(
    'Prefer',
    `\`wait=10\`: the answer comes when what the request has begun is done, or after so many seconds; ${seconds} at most. \`handling=strict\`, as for all operations; both with a comma between them.`,
  );
const after = header(
  'Scriptorium-After',
  'A position of a `Scriptorium-Position` header: the answer is not older; the service waits for at most 2 s.',
  { type: 'string', pattern: '^[0-9]+$' },
);
const dryRun: Json = {
  name: 'dryRun',
  in: 'query',
  required: false,
  description: 'Check, decide and answer as if the change were made, but record nothing.',
  schema: { type: 'boolean', default: false },
};

const asOf: Json = {
  name: 'asOf',
  in: 'query',
  required: false,
  description:
    'Show the resource as it was at this time, or at a position of a `Scriptorium-Position` header. Permissions, data of people and counters are those of now. Such an answer has no `ETag`.',
  schema: {
    anyOf: [
      { type: 'string', format: 'date-time' },
      { type: 'string', pattern: '^[0-9]{1,19}$' },
    ],
  },
};

const lastEventId = header(
  'Last-Event-ID',
  'Continues a stream behind this message; clients that reconnect send it. It takes precedence over the query.',
);

/** The stream form of a list that can be followed. */
export function streamContent({ stream }: Operation): Json {
  if (stream === undefined) return {};
  const description =
    'The items as server-sent events, and then each new one: `data` is an item as JSON, `id` the cursor behind it. Comments keep the connection open. A last message `end` has the `error` that ended the stream, if there was one.';
  return { 'text/event-stream': { schema: { type: 'string', description } } };
}

/** Operations without a caller have no idempotency keys: first answers are stored for their caller. */
function isAnonymous({ access }: Operation): boolean {
  return access.tokens.length === 0;
}

/**
 * Headers and query parameters of an operation besides those it declares. `tagged`: a GET of the same path answers an
 * entity tag.
 */
export function conditionParameters(op: Operation, tagged: boolean): Json[] {
  return [...conditionsOf(op, tagged), op.waitsSeconds > 0 ? preferToWait(op.waitsSeconds) : prefer];
}

function conditionsOf(op: Operation, tagged: boolean): Json[] {
  if (op.service === 'gateway' || op.status === 302) return [];
  if (op.kind === 'read')
    return [
      ...(op.method === 'GET' ? [ifNoneMatch] : []),
      after,
      ...(op.history === undefined ? [] : [asOf]),
      ...(op.stream === undefined ? [] : [lastEventId]),
    ];
  if (isAnonymous(op)) return [];
  return [idempotencyKey, ...(tagged ? [ifMatch] : []), ...(op.dryRun ? [dryRun] : [])];
}

/** Reasons of errors that these headers and parameters can have. */
export function conditionReasons(op: Operation, tagged: boolean): Reason[] {
  if (op.kind === 'read') return op.history === undefined ? [] : ['history_too_long'];
  if (isAnonymous(op)) return [];
  return ['idempotency_key_reused', 'idempotency_in_progress', ...(tagged ? (['precondition_failed'] as const) : [])];
}

const text = (description: string): Json => ({ description, schema: { type: 'string' } });
const whole = (description: string): Json => ({ description, schema: { type: 'integer' } });

const limited: Json = {
  'X-RateLimit-Limit': whole('Requests a minute; absent if the rate is not limited.'),
  'X-RateLimit-Remaining': whole('Remaining requests.'),
  'X-RateLimit-Reset': whole('When all requests are available again, in seconds since 1970.'),
};

/** Headers that many answers have, as components. */
export const sharedHeaders: Json = {
  Ignored: text(
    'Fields and parameters of the request that nothing reads, such as `body.titel, query.limt`: at most 20, with `...` for more, percent-encoded.',
  ),
  NextPage: text(
    'The next page, as `rel="next"`: the path and the query of this request with another cursor. Absent on the last page.',
  ),
  Applied: text('`handling=strict` if the request asked for it in `Prefer`.'),
};
/** How the request was handled; also refusals of services have these headers. */
const handled: Json = {
  'Scriptorium-Ignored': { $ref: '#/components/headers/Ignored' },
  'Preference-Applied': { $ref: '#/components/headers/Applied' },
};

/** Headers of an error. */
export function refusalHeaders(status: number): Json {
  return {
    'X-Request-Id': text('Names the request in logs and errors.'),
    ...limited,
    Link: text('The page of the reason, as `rel="help"`.'),
    ...(status === 400 ? handled : {}),
    ...(status === 401 ? { 'WWW-Authenticate': text('`Bearer`.') } : {}),
    ...(status === 409 || status === 429 || status === 503
      ? { 'Retry-After': whole('Seconds after which to try again.') }
      : {}),
  };
}

/** Whether an operation answers with a page of a list. */
function isPaged(op: Operation): boolean {
  return isList(op) && 'next' in (op.response as z.ZodObject).shape;
}

/** Headers of a successful answer. */
export function conditionHeaders(op: Operation, status: number = op.status): Json {
  const always = {
    'X-Request-Id': text('Names the request in logs and errors.'),
    ...limited,
    ...handled,
    ...(op.waitsSeconds > 0
      ? {
          'Preference-Applied': text('What the request preferred and the answer respects: `wait=10, handling=strict`.'),
        }
      : {}),
  };
  if (op.service === 'gateway') return always;
  if (op.status === 302) return { ...always, Location: text('The address of the redirect.') };
  // Entity tags are for GET: nothing keeps the answer to a POST.
  if (op.kind === 'read' && op.method !== 'GET') return always;
  if (op.kind === 'read')
    return {
      ...always,
      ...(isPaged(op) ? { Link: { $ref: '#/components/headers/NextPage' } } : {}),
      ETag: text(isList(op) ? 'Weak entity tag of this answer.' : 'Strong entity tag of this answer.'),
    };
  if (isAnonymous(op)) return always;
  return {
    ...always,
    ...(status === 201 ? { Location: text('Address of the created object, if it has one.') } : {}),
    'Scriptorium-Position': text('Position of the change in the log; absent if nothing changed.'),
    'Idempotency-Replayed': text('`true`: this is the first answer to the Idempotency-Key, sent again.'),
  };
}
