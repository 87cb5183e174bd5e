import { type Expected } from '../storage/decide.js';
import { type WriteResult } from '../storage/write-request.js';
import { type Call, LONGEST_TIMER } from '../wire/call.js';
import { type Streams, streams } from '../wire/definitions.js';
import { invalidArgument, RpcError, Status } from '../wire/status.js';
import { batchFailure, batchResponse, type Echo, type Expectation } from './batch-response.js';
import { type AppendLimits, type RpcContext, toRpcError } from './context.js';
import { ProposedEvents, streamName } from './proposed.js';

/** Appends of one call in flight above which no more are read from it. */
const MAX_IN_FLIGHT = 2_000;
const MAX_IN_FLIGHT_BYTES = 16 * 1024 * 1024;
const DEFAULT_DEADLINE_MS = 10_000;

interface Pending {
  readonly echo: Echo;
  readonly deadline: number;
  readonly events: ProposedEvents;
  /** bytes counted as in flight for it */
  held: number;
  /** answers at the deadline while parts are still to come */
  timer: NodeJS.Timeout | undefined;
}

/**
 * `BatchAppend`: one endless call with any number of appends, told apart by correlation id, each answered exactly once.
 */
export class BatchAppend {
  private readonly pending = new Map<string, Pending>();
  private readonly refused = new Set<string>();
  private answers: Buffer[] = [];
  private inFlight = 0;
  private inFlightBytes = 0;
  private paused = false;
  /** the client does not read its answers */
  private blocked = false;
  private halfClosed = false;

  constructor(
    private readonly context: RpcContext,
    private readonly call: Call,
  ) {
    call.onMessage((bytes) => {
      this.receive(streams.BatchAppendReq.deserializeBinary(bytes));
    });
    call.onHalfClose(() => {
      this.halfClosed = true;
      this.finishWhenDone();
    });
    call.onClose(() => {
      for (const { timer } of this.pending.values()) clearTimeout(timer);
    });
  }

  private receive(request: Streams.BatchAppendReq): void {
    const id = request.getCorrelationId();
    if (id === undefined) throw invalidArgument('A correlation id is missing.');
    const correlationId = id.serializeBinary();
    const key = Buffer.from(correlationId).toString('latin1');
    const isFinal = request.getIsFinal();
    if (this.refused.has(key)) {
      if (isFinal) this.refused.delete(key);
      return;
    }
    const options = request.getOptions();
    const pending = this.pending.get(key) ?? begin(correlationId, options, this.context.limits);
    try {
      if (options !== undefined) streamName(options.getStreamIdentifier());
      // As on a real node, the events of an append that comes too late are not even looked at.
      if (options !== undefined && pending.deadline <= Date.now()) {
        this.dismiss(key, pending, isFinal, batchResponse(pending.echo, { kind: 'timeout' }));
        return;
      }
      for (const message of request.getProposedMessagesList()) pending.events.add(message);
    } catch (error) {
      this.refuse(key, pending, isFinal, error);
      return;
    }
    this.inFlightBytes += pending.events.size - pending.held;
    pending.held = pending.events.size;
    if (isFinal) {
      this.pending.delete(key);
      clearTimeout(pending.timer);
      this.submit(pending);
    } else this.setAside(key, pending);
    this.pauseWhenFull();
  }

  private setAside(key: string, pending: Pending): void {
    this.pending.set(key, pending);
    pending.timer ??= setTimeout(() => {
      this.dismiss(key, pending, false, batchResponse(pending.echo, { kind: 'timeout' }));
      this.resumeWhenFree();
    }, timeUntil(pending.deadline));
    if (this.pending.size + this.refused.size <= MAX_IN_FLIGHT) return;
    throw new RpcError(Status.resourceExhausted, 'Too many appends are unfinished.');
  }

  private refuse(key: string, pending: Pending, isFinal: boolean, error: unknown): void {
    this.dismiss(key, pending, isFinal, batchFailure(pending.echo, toRpcError(this.context, error)));
  }

  /** Answers at once; parts of the append that still come are dropped. */
  private dismiss(key: string, pending: Pending, isFinal: boolean, answer: Buffer): void {
    this.pending.delete(key);
    clearTimeout(pending.timer);
    this.inFlightBytes -= pending.held;
    if (!isFinal) this.refused.add(key);
    this.answer(answer);
  }

  private submit({ echo, deadline, events, held }: Pending): void {
    this.inFlight += 1;
    let answered = false;
    const once = (make: () => Buffer): void => {
      if (!answered) this.answer(make());
      answered = true;
    };
    // The append itself cannot be taken back: whether it happened shows in the stream.
    const timer = setTimeout(() => {
      once(() => batchResponse(echo, { kind: 'timeout' }));
    }, timeUntil(deadline));
    const done = (make: () => Buffer): void => {
      clearTimeout(timer);
      once(make);
      this.release(held);
    };
    const { stream } = echo;
    this.context.store
      .submit({ kind: 'append', stream, expected: toExpected(echo.expected), events: events.events, deadline })
      .then(
        (result: WriteResult) => {
          done(() => batchResponse(echo, result));
        },
        (error: unknown) => {
          done(() => batchFailure(echo, toRpcError(this.context, error)));
        },
      );
  }

  private get isFull(): boolean {
    return this.blocked || this.inFlight >= MAX_IN_FLIGHT || this.inFlightBytes >= MAX_IN_FLIGHT_BYTES;
  }

  private pauseWhenFull(): void {
    if (this.paused || !this.isFull) return;
    this.paused = true;
    this.call.pause();
  }

  private resumeWhenFree(): void {
    if (!this.paused || this.isFull) return;
    this.paused = false;
    this.call.resume();
  }

  private release(bytes: number): void {
    this.inFlight -= 1;
    this.inFlightBytes -= bytes;
    this.resumeWhenFree();
    this.finishWhenDone();
  }

  /** Answers of one turn leave in one write. */
  private answer(response: Buffer): void {
    this.answers.push(response);
    if (this.answers.length > 1) return;
    queueMicrotask(() => {
      const answers = this.answers;
      this.answers = [];
      if (this.call.write(Buffer.concat(answers)) || this.call.isOver) return;
      this.blocked = true;
      this.pauseWhenFull();
      this.call.onDrain(() => {
        this.blocked = false;
        this.resumeWhenFree();
      });
    });
  }

  private finishWhenDone(): void {
    if (!this.halfClosed || this.inFlight > 0) return;
    setImmediate(() => {
      this.call.finish();
    });
  }
}

function begin(
  correlationId: Uint8Array,
  options: Streams.BatchAppendReq.Options | undefined,
  limits: AppendLimits,
): Pending {
  if (options === undefined) throw invalidArgument('The first message of an append must hold its options.');
  const stream = Buffer.from(options.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
  const at = options.getDeadline();
  const deadline = at === undefined ? Date.now() + DEFAULT_DEADLINE_MS : at.getSeconds() * 1000 + at.getNanos() / 1e6;
  return {
    echo: { correlationId, stream, expected: expectationOf(options) },
    deadline,
    events: new ProposedEvents(limits),
    held: 0,
    timer: undefined,
  };
}

const timeUntil = (deadline: number): number => Math.min(Math.max(0, deadline - Date.now()), LONGEST_TIMER);

function expectationOf(options: Streams.BatchAppendReq.Options): Expectation {
  if (options.hasStreamPosition()) return { kind: 'revision', revision: Number(options.getStreamPosition()) };
  if (options.hasNoStream()) return { kind: 'no_stream', revision: -1 };
  return { kind: options.hasStreamExists() ? 'stream_exists' : 'any', revision: -1 };
}

function toExpected(expectation: Expectation): Expected {
  return expectation.kind === 'revision' ? expectation.revision : expectation.kind;
}
