import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invalid, wireHeader, type Operation, type StreamNews } from '@scriptorium/contracts';
import * as z from 'zod';
import type { Authenticator } from '../auth/authenticator.js';
import type { Credential } from '../auth/credential.js';
import { follow, type Pull, type StreamPage } from './follow.js';
import { createSeats, type Seat, type StreamLimits } from './seats.js';
import { createTurns } from './turns.js';
import { watchCaller } from './watch-caller.js';

/** What a stream is made of. */
export interface Followed {
  op: Operation;
  request: FastifyRequest;
  reply: FastifyReply;
  credential: Credential;
  /** The input of the first page, as the service takes it. */
  input: Buffer;
  /** Asks the service for a page. */
  ask: (input: Buffer, headers: Record<string, string>) => Promise<Uint8Array>;
}

/** Lists that are followed by server-sent events: the gateway pulls their pages when it hears that there is news. */
export interface Streams {
  /** Whether a request is for a stream instead of a page. */
  wanted(op: Operation, request: FastifyRequest): boolean;
  /** Answers with a stream; what refuses the first page is answered as ever. */
  open(followed: Followed): Promise<FastifyReply>;
  /** Takes news of services, as they come over the wire. */
  hear(body: Uint8Array): void;
  /** News may have been missed. */
  missed(): void;
  count(): number;
  /** Ends all, so that their readers go on elsewhere. */
  stop(): Promise<void>;
}

export interface StreamsDeps {
  limits: StreamLimits;
  authenticators: Readonly<Record<Credential['kind'], Authenticator>>;
}

const pullsAtOnce = 64;
/** What has not ended by itself then is cut. */
const partingMs = 500;
/** No buffers in between, nothing that would have to be decoded. */
const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no', connection: 'close' };

export function createStreams(deps: StreamsDeps): Streams {
  const seats = createSeats(deps.limits);
  const messages = createMessages(deps);
  const responses = new Set<ServerResponse>();
  let stopping = false;
  const seatOf = ({ op: { stream }, request, reply: { raw } }: Followed): Seat => {
    if (stream === undefined || request.caller === null || stopping) throw new AppError('unavailable', [], { retryAfter: 1 });
    const topic = (request.params as Record<string, string>)[stream.topic] ?? '';
    const seat = seats.take(request.caller.principal.token.id, topic, () => cutLater(raw));
    responses.add(raw);
    raw.once('close', () => {
      responses.delete(raw);
      seat.end();
    });
    return seat;
  };
  return {
    wanted: (op, request) => op.stream !== undefined && request.method === 'GET' && /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(request.headers.accept ?? ''),
    async open(followed) {
      const input = resumed(followed);
      const seat = seatOf(followed);
      const readable = await messages({ ...followed, input }, seat);
      // How long readers stay says nothing of how fast they are answered.
      followed.request.streamedAfterMs = followed.reply.elapsedTime;
      return followed.reply.code(200).headers(streamHeaders).send(readable);
    },
    hear(body) {
      for (const [topic, position] of newsIn(body)) seats.news(topic, BigInt(position));
    },
    missed: () => seats.wakeAll(),
    count: () => seats.count(),
    async stop() {
      stopping = true;
      const closed = Promise.all([...responses].map((response) => once(response, 'close')));
      seats.endAll(new AppError('unavailable', [], { message: 'This gateway stops, others go on' }));
      await closed;
    },
  };
}

/** Makes what is sent; rejects with what refuses the first page. */
function createMessages({ limits, authenticators }: StreamsDeps): (followed: Followed, seat: Seat) => Promise<Readable> {
  const turns = createTurns(pullsAtOnce);
  return async ({ op, request, credential, input, ask }, seat) => {
    const pageFrom = async (from: Buffer, headers: Record<string, string>): Promise<StreamPage> => pageIn(await turns(() => ask(from, headers)));
    const first = await pageFrom(input, {});
    const watched = watchCaller(op, authenticators[credential.kind], credential.text, request.caller, seat);
    const pull: Pull = (cursor, position) => {
      const after = position === undefined ? {} : { [wireHeader.after]: String(position) };
      return pageFrom(withCursor(op, input, cursor), { [wireHeader.principal]: watched.header(), ...after });
    };
    return Readable.from(unlessStalled(follow(first, pull, seat, limits), seat, limits.stallMs), { highWaterMark: 1 });
  };
}

/** Where the reader was goes before where the address says to begin: clients that reconnect by themselves keep that. */
function resumed({ op, request, input }: Followed): Buffer {
  const last = request.headers['last-event-id'];
  if (last === undefined || op.stream === undefined) return input;
  if (!z.object({ [op.stream.after]: op.query.shape[op.stream.after] as z.ZodType }).safeParse({ [op.stream.after]: last }).success) throw invalid('headers.last-event-id', 'Must be the id of a message');
  return withCursor(op, input, String(last));
}

function withCursor({ stream }: Operation, input: Buffer, cursor: string): Buffer {
  const { query, ...rest } = JSON.parse(input.toString('utf8')) as { query: object };
  return Buffer.from(JSON.stringify({ ...rest, query: { ...query, ...(stream === undefined ? {} : { [stream.after]: cursor }) } }));
}

function pageIn(body: Uint8Array): StreamPage {
  return JSON.parse(Buffer.from(body).toString('utf8')) as StreamPage;
}

/** A reader who does not take what they were sent is let go; nothing more is kept for them than that. */
async function* unlessStalled(messages: AsyncGenerator<string>, seat: Seat, stallMs: number): AsyncGenerator<string> {
  for await (const message of messages) {
    const stalled = setTimeout(() => seat.end(new AppError('unavailable', [], { message: 'The reader is too slow' })), stallMs);
    try {
      yield message;
    } finally {
      clearTimeout(stalled);
    }
  }
}

function cutLater(response: ServerResponse): void {
  setTimeout(() => {
    if (!response.writableFinished) response.destroy();
  }, partingMs).unref();
}

const News = z.object({ topics: z.array(z.tuple([z.string(), z.string().regex(/^\d{1,19}$/)])) }) satisfies z.ZodType<StreamNews>;

/** A message of another version says nothing: news are looked for now and then in any case. */
function newsIn(body: Uint8Array): StreamNews['topics'] {
  try {
    return News.parse(JSON.parse(Buffer.from(body).toString('utf8'))).topics;
  } catch {
    return [];
  }
}
