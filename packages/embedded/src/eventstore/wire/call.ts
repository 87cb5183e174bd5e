import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { MessageReader } from './message-reader.js';
import { RpcError, Status } from './status.js';

/** Above the largest message the official client sends or takes. */
const MAX_MESSAGE = 17 * 1024 * 1024;
/** The longest time in ms that a timer can be set for. */
export const LONGEST_TIMER = 2_147_483_647;
const UNIT_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 0.001, n: 0.000_001 };
const RESPONSE_HEADERS: OutgoingHttpHeaders = { ':status': 200, 'content-type': 'application/grpc' };

/** One gRPC call on an HTTP/2 stream. Every listener is called at most until the call is over. */
export class Call {
  private over = false;
  private responded = false;
  private frozen = false;
  private deadline: NodeJS.Timeout | undefined;
  private trailers: OutgoingHttpHeaders = {};
  private readonly reader = new MessageReader(MAX_MESSAGE);
  private closeListeners: (() => void)[] = [];
  private messageListener: (message: Buffer) => void = () => undefined;
  private halfCloseListener: () => void = () => undefined;

  constructor(
    private readonly stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
  ) {
    stream.on('data', (chunk: Buffer) => {
      this.receive(chunk);
    });
    stream.on('end', () => {
      if (!this.over) this.guarded(this.halfCloseListener);
    });
    stream.on('error', () => {
      this.settle();
    });
    stream.on('close', () => {
      this.settle();
    });
    stream.on('wantTrailers', () => {
      stream.sendTrailers(this.trailers);
      // A client still sending must not keep the stream open.
      if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
    });
    this.startDeadline(headers['grpc-timeout']);
  }

  /** True once nothing more can be sent: answered, cancelled or past its deadline. */
  get isOver(): boolean {
    return this.over;
  }

  onMessage(listener: (message: Buffer) => void): void {
    this.messageListener = listener;
  }

  onHalfClose(listener: () => void): void {
    this.halfCloseListener = listener;
  }

  /** Runs once, however the call ends. */
  onClose(listener: () => void): void {
    if (this.over) listener();
    else this.closeListeners.push(listener);
  }

  /** Sends finished frames. False: the client does not keep up; wait for `onDrain`. */
  write(frames: Buffer): boolean {
    if (this.over) return false;
    if (!this.responded) {
      this.responded = true;
      this.stream.respond(RESPONSE_HEADERS, { waitForTrailers: true });
    }
    return this.stream.write(frames);
  }

  onDrain(listener: () => void): void {
    this.stream.once('drain', listener);
  }

  pause(): void {
    this.stream.pause();
  }

  resume(): void {
    if (!this.frozen) this.stream.resume();
  }

  /** Takes no more messages, for good; what is under way can still be answered. */
  freeze(): void {
    this.frozen = true;
    this.stream.pause();
  }

  /** Ends the call: with success, or with what went wrong. */
  finish(error?: unknown): void {
    if (this.over) return;
    this.trailers = error === undefined ? { 'grpc-status': '0' } : errorTrailers(error);
    this.settle();
    if (this.stream.destroyed || this.stream.closed) return;
    if (this.responded) this.stream.end();
    else {
      this.stream.respond({ ...RESPONSE_HEADERS, ...this.trailers }, { endStream: true });
      if (!this.stream.readableEnded) this.stream.close(constants.NGHTTP2_NO_ERROR);
    }
    this.stream.resume();
  }

  private receive(chunk: Buffer): void {
    if (this.over) return;
    this.guarded(() => {
      this.reader.push(chunk, (message) => {
        if (!this.over) this.messageListener(message);
      });
    });
  }

  private guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.finish(error);
    }
  }

  private settle(): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.deadline);
    const listeners = this.closeListeners;
    this.closeListeners = [];
    for (const listener of listeners) listener();
  }

  private startDeadline(header: string | string[] | undefined): void {
    const match = typeof header === 'string' ? /^(\d{1,8})([HMSmun])$/.exec(header) : null;
    if (match === null) return;
    const ms = Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? 0);
    if (ms > LONGEST_TIMER) return;
    this.deadline = setTimeout(() => {
      this.finish(new RpcError(Status.deadlineExceeded, 'Deadline Exceeded'));
    }, ms);
  }
}

function errorTrailers(error: unknown): OutgoingHttpHeaders {
  const known = error instanceof RpcError ? error : new RpcError(Status.unknown, 'Exception was thrown by handler.');
  const trailers: OutgoingHttpHeaders = { 'grpc-status': String(known.code), 'grpc-message': encodeURI(known.message) };
  for (const [name, value] of Object.entries(known.trailers)) {
    // Header values are ASCII; a stream's name may be anything.
    trailers[name] = /^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value);
  }
  return trailers;
}
