import type { Socket } from 'node:net';
import { encodeReply, MAX_MESSAGE, parseMessage, type Command, type Reply, type Request } from './wire.js';
import { asServerError, ServerError } from './bson/errors.js';

/** Runs a command for a connection. */
export type Execute = (command: Command, connection: Connection) => Reply | Promise<Reply>;

/** What the commands may know about a client. */
export interface Connection {
  readonly id: number;
  /** Whether the client has shown that it knows the password. */
  isAuthenticated: boolean;
  /** The exchange that may end in that. */
  exchange: Exchange | undefined;
}

/** An authentication under way. */
export interface Exchange {
  readonly finish: (clientFinal: string) => string | undefined;
  /** Ends with the proof, without an empty message behind it. */
  readonly isShort: boolean;
  /** The proof was right; an empty message is still to come. */
  readonly isProven: boolean;
}

const HEADER = 16;
/** Nothing that a client may send before it has authenticated comes near to this. */
const MAX_FIRST_MESSAGES = 16_384;

/** Serves one client: frames, one command at a time, one socket write per turn of the event loop. */
export class ClientConnection implements Connection {
  readonly id: number;
  isAuthenticated: boolean;
  exchange: Exchange | undefined;
  readonly #socket: Socket;
  readonly #execute: Execute;
  readonly #requests: Request[] = [];
  #parts: Buffer[] = [];
  #buffered = 0;
  #busy = false;
  #out: Buffer[] = [];
  #nextReply = 1;

  /** @param isOpen whether clients need no authentication */
  constructor(id: number, socket: Socket, execute: Execute, isOpen: boolean) {
    this.id = id;
    this.isAuthenticated = isOpen;
    this.#socket = socket;
    this.#execute = execute;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('drain', () => this.#resume());
  }

  /** Ends the connection after what was answered has been sent. */
  end(): void {
    this.#flush();
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  get idle(): boolean {
    return !this.#busy && this.#requests.length === 0;
  }

  #onData(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#buffered += chunk.length;
    try {
      this.#takeMessages();
    } catch {
      this.#socket.destroy();
      return;
    }
    if (!this.#busy) this.#work();
    // A client that sends ahead waits in its own socket buffer.
    if (this.#busy && this.#requests.length > 0) this.#socket.pause();
  }

  #takeMessages(): void {
    while (this.#buffered >= HEADER) {
      const head = this.#join(HEADER);
      const length = head.readInt32LE(0);
      if (length < HEADER || length > this.#longest()) throw new Error('message length out of range');
      if (this.#buffered < length) return;
      const all = this.#join(length);
      const rest = all.subarray(length);
      this.#parts[0] = rest;
      if (rest.length === 0) this.#parts.shift();
      this.#buffered -= length;
      this.#requests.push(parseMessage(all.subarray(0, length)));
    }
  }

  #longest(): number {
    return this.isAuthenticated ? MAX_MESSAGE : MAX_FIRST_MESSAGES;
  }

  /** The first buffer, made to hold at least `length` bytes. */
  #join(length: number): Buffer {
    const first = this.#parts[0] as Buffer;
    if (first.length >= length) return first;
    const joined = Buffer.concat(this.#parts);
    this.#parts = [joined];
    return joined;
  }

  #work(): void {
    for (let request = this.#requests.shift(); request !== undefined; request = this.#requests.shift()) {
      const result = this.#run(request);
      if (result instanceof Promise) {
        this.#busy = true;
        const current = request;
        void result.then((reply) => {
          this.#busy = false;
          this.#answer(current, reply);
          this.#work();
          this.#resume();
        });
        return;
      }
      this.#answer(request, result);
    }
  }

  #run(request: Request): Reply | Promise<Reply> {
    if (request.command instanceof ServerError) return failure(request.command);
    try {
      const result = this.#execute(request.command, this);
      return result instanceof Promise ? result.then(success, failure) : success(result);
    } catch (error) {
      return failure(error);
    }
  }

  #answer(request: Request, reply: Reply): void {
    if (!request.wantsReply || this.#socket.destroyed) return;
    this.#out.push(encodeReply(request, this.#nextReply, reply));
    this.#nextReply = (this.#nextReply + 1) & 0x7fffffff;
    if (this.#out.length === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const out = this.#out;
    if (out.length === 0 || this.#socket.destroyed) return;
    this.#out = [];
    // A client that does not read its answers is not asked for more.
    if (!this.#socket.write(out.length === 1 ? (out[0] as Buffer) : Buffer.concat(out))) this.#socket.pause();
  }

  #resume(): void {
    if (!this.#busy && this.#socket.isPaused() && !this.#socket.writableNeedDrain) this.#socket.resume();
  }
}

const success = (reply: Reply): Reply => ({ ...reply, ok: { $double: 1 } });

function failure(error: unknown): Reply {
  const { message, code, codeName, extra } = asServerError(error);
  return { ok: { $double: 0 }, errmsg: message, code, codeName, ...extra };
}
