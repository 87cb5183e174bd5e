import type { Reason } from '../kernel/errors.js';
import type { Operation } from '../kernel/operation.js';
import { share, type Components, type Json } from './components.js';

/*
 * Headers and query parameters that requests have besides the input of their operation. Gateway and platform implement
 * all of them; they follow from the properties of an operation.
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
    'Show the resource as it was at this time (the `+` of an offset is written `%2B`), or at a position of a `Scriptorium-Position` header. Permissions, data of people and counters are those of now. Such an answer has no `ETag`.',
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
  return {
    'text/event-stream': { schema: { type: 'string', description } },
    ...(stream.lines === true ? { 'application/x-ndjson': { schema: { type: 'string', description: lines } } } : {}),
  };
}

const lines =
  'The items that there are, one a line as JSON, page by page; `limit` is the size of a page. An answer ends after 100,000 lines or a minute at the latest: go on behind the `cursor` of the last line until an answer has none.';

/** Operations without a caller have no idempotency keys: first answers are stored for their caller. */
export function isAnonymous({ access }: Operation): boolean {
  return access.tokens.length === 0;
}

/**
 * Headers and query parameters of an operation besides those it declares. `tagged`: a GET of the same path answers an
 * entity tag.
 */
export function conditionParameters(op: Operation, tagged: boolean, components: Components): Json[] {
  const preference: [string, Json] =
    op.waitsSeconds > 0 ? [`PreferWait${op.waitsSeconds}`, preferToWait(op.waitsSeconds)] : ['Prefer', prefer];
  return [...conditionsOf(op, tagged), preference].map(([name, one]) => share(components, 'parameters', name, one));
}

/** Parameters with the names of their components. */
function conditionsOf(op: Operation, tagged: boolean): [string, Json][] {
  if (op.service === 'gateway' || op.status === 302) return [];
  if (op.kind === 'read')
    return [
      ...(op.method === 'GET' ? [named('IfNoneMatch', ifNoneMatch)] : []),
      named('After', after),
      ...(op.history === undefined ? [] : [named('AsOf', asOf)]),
      ...(op.stream === undefined ? [] : [named('LastEventId', lastEventId)]),
    ];
  if (isAnonymous(op)) return [];
  return [
    named('IdempotencyKey', idempotencyKey),
    ...(tagged ? [named('IfMatch', ifMatch)] : []),
    ...(op.dryRun ? [named('DryRun', dryRun)] : []),
  ];
}

function named(name: string, parameter: Json): [string, Json] {
  return [name, parameter];
}

/** Reasons of errors that these headers and parameters can have. */
export function conditionReasons(op: Operation, tagged: boolean): Reason[] {
  if (op.kind === 'read') return op.history === undefined ? [] : ['history_too_long'];
  if (isAnonymous(op)) return [];
  return ['idempotency_key_reused', 'idempotency_in_progress', ...(tagged ? (['precondition_failed'] as const) : [])];
}
