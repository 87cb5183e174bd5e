import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invalid, wireHeader, type Operation, type StreamNews } from '@scriptorium/contracts';
import * as z from 'zod';
import type { Authenticator } from '../auth/authenticator.js';
import type { Credential } from '../auth/credential.js';
import { readAnnouncement } from '../services/read-announcement.js';
import { createConcurrencyLimiter } from './concurrency-limiter.js';
import { follow, type Pull, type StreamPage } from './follow.js';
import { createStreamRegistry, type OpenStream, type StreamLimits, type StreamRegistry } from './stream-registry.js';
import { watchCaller } from './watch-caller.js';

/** A request for a stream. */
export interface StreamRequest {
  op: Operation;
  request: FastifyRequest;
  reply: FastifyReply;
  credential: Credential;
  /** The input of the first page, as the service takes it. */
  input: Buffer;
  /** Asks the service for a page. */
  ask: (input: Buffer, headers: Record<string, string>) => Promise<Uint8Array>;
}

/** Lists that clients follow by server-sent events: the gateway reads the next page when a service announces events. */
export interface Streams {
  /** Whether a request asks for a stream instead of a page. */
  wanted(op: Operation, request: FastifyRequest): boolean;
  /** Answers with a stream; a refusal of the first page is answered like any other refusal. */
  open(wanted: StreamRequest): Promise<FastifyReply>;
  /** Takes an announcement of a service, as it comes over the wire. */
  receive(body: Uint8Array): void;
  /** Reads all lists again, because announcements may have been lost. */
  wakeAll(): void;
  count(): number;
  /** Ends all streams, so that clients reconnect to another gateway. */
  stop(): Promise<void>;
}

export interface StreamsDeps {
  limits: StreamLimits;
  authenticators: Readonly<Record<Credential['kind'], Authenticator>>;
}

const maxConcurrentPulls = 64;
/** Connections that are still open this long after their stream ended are closed. */
const closeAfterMs = 500;
/** Nothing on the way may keep the messages back, and none has to be decoded. */
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
};

/** Builds the streams of a gateway. */
export function createStreams(deps: StreamsDeps): Streams {
  const registry = createStreamRegistry(deps.limits);
  const createMessages = messageSource(deps);
  const responses = new Set<ServerResponse>();
  let stopping = false;
  return {
    wanted: isStreamRequest,
    async open(wanted) {
      const input = resumedInput(wanted);
      if (stopping) throw new AppError('unavailable', [], { retryAfter: 1 });
      const stream = openIn(registry, responses, wanted);
      const readable = await createMessages({ ...wanted, input }, stream);
      // The time until the end of a stream is that of its client; metrics show how long the first page took.
      wanted.request.streamedAfterMs = wanted.reply.elapsedTime;
      return wanted.reply.code(200).headers(streamHeaders).send(readable);
    },
    receive(body) {
      // Without topics, streams read their lists at every heartbeat in any case.
      const { topics } = readAnnouncement(Announcement, body) ?? { topics: [] };
      for (const [topic, position] of topics) registry.announce(topic, BigInt(position));
    },
    wakeAll: () => registry.wakeAll(),
    count: () => registry.count(),
    async stop() {
      stopping = true;
      const closed = Promise.all([...responses].map((response) => once(response, 'close')));
      registry.endAll(new AppError('unavailable', [], { message: 'This gateway is stopping, connect again' }));
      await closed;
    },
  };
}

function isStreamRequest(op: Operation, { method, headers }: FastifyRequest): boolean {
  return (
    op.stream !== undefined && method === 'GET' && /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(headers.accept ?? '')
  );
}

function openIn(
  registry: StreamRegistry,
  responses: Set<ServerResponse>,
  { op: { stream: trait }, request, reply: { raw } }: StreamRequest,
): OpenStream {
  if (trait === undefined || request.caller === null) throw new AppError('unavailable', [], { retryAfter: 1 });
  const { principal } = request.caller;
  const topic = trait.topic === undefined ? principal.id : (request.params as Record<string, string>)[trait.topic];
  const stream = registry.open(principal.token.id, topic ?? '', () => closeLater(raw));
  responses.add(raw);
  raw.once('close', () => {
    responses.delete(raw);
    stream.end();
  });
  return stream;
}

/** Makes the messages of streams; rejects with the refusal of the first page. */
function messageSource({
  limits,
  authenticators,
}: StreamsDeps): (wanted: StreamRequest, stream: OpenStream) => Promise<Readable> {
  const limited = createConcurrencyLimiter(maxConcurrentPulls);
  return async ({ op, request, credential, input, ask }, stream) => {
    const pageFrom = async (from: Buffer, headers: Record<string, string>): Promise<StreamPage> =>
      pageIn(await limited(() => ask(from, headers)));
    const first = await pageFrom(input, {});
    const caller = watchCaller(op, authenticators[credential.kind], credential.text, request.caller, stream);
    const pull: Pull = (cursor, position) => {
      const after = position === undefined ? {} : { [wireHeader.after]: String(position) };
      return pageFrom(withCursor(op, input, cursor), { [wireHeader.principal]: caller.header(), ...after });
    };
    return Readable.from(endStalled(follow(first, pull, stream, limits), stream, limits.stallMs), { highWaterMark: 1 });
  };
}

/** `Last-Event-ID` wins over the cursor in the query: clients that reconnect by themselves repeat the query. */
function resumedInput({ op, request, input }: StreamRequest): Buffer {
  const last = request.headers['last-event-id'];
  if (op.stream === undefined) return input;
  const { after, begin } = op.stream;
  if (last === undefined) return begin === undefined || hasCursor(input, after) ? input : withCursor(op, input, begin);
  const form = z.object({ [after]: op.query.shape[after] as z.ZodType });
  if (!form.safeParse({ [after]: last }).success)
    throw invalid('headers.last-event-id', 'Must be the id of a message of this stream');
  return withCursor(op, input, String(last));
}

function hasCursor(input: Buffer, after: string): boolean {
  return Object.hasOwn((JSON.parse(input.toString('utf8')) as { query: object }).query, after);
}

function withCursor({ stream }: Operation, input: Buffer, cursor: string): Buffer {
  const { query, ...rest } = JSON.parse(input.toString('utf8')) as { query: object };
  const after = stream === undefined ? {} : { [stream.after]: cursor };
  return Buffer.from(JSON.stringify({ ...rest, query: { ...query, ...after } }));
}

function pageIn(body: Uint8Array): StreamPage {
  return JSON.parse(Buffer.from(body).toString('utf8')) as StreamPage;
}

/** Ends the stream of a client that does not read what it was sent. */
async function* endStalled(
  messages: AsyncGenerator<string>,
  stream: OpenStream,
  stallMs: number,
): AsyncGenerator<string> {
  const tooSlow = new AppError('unavailable', [], { message: 'The client reads the stream too slowly' });
  for await (const message of messages) {
    const timer = setTimeout(() => stream.end(tooSlow), stallMs);
    try {
      yield message;
    } finally {
      clearTimeout(timer);
    }
  }
}

function closeLater(response: ServerResponse): void {
  setTimeout(() => {
    if (!response.writableFinished) response.destroy();
  }, closeAfterMs).unref();
}

const Announcement = z.object({
  topics: z.array(z.tuple([z.string(), z.string().regex(/^\d{1,19}$/)])),
}) satisfies z.ZodType<StreamNews>;
