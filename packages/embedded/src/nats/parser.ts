import { failures } from './protocol.js';

/** The line of a PUB or HPUB. The object is reused for the next message of the same connection. */
export interface PublishLine {
  subject: string;
  reply: string;
  /** Length of the header block at the start of the payload; -1 for PUB. */
  headerBytes: number;
}

/** What a connection does with the operations of its client. */
export interface ParserSink {
  /** Asked before an operation is looked at; false when it was refused and the connection is closing. */
  accepts(operation: string): boolean;
  connect(json: string): void;
  ping(): void;
  pong(): void;
  subscribe(args: readonly string[]): void;
  unsubscribe(args: readonly string[]): void;
  /** Payload (with its header block) is `bytes[start, end)`, CRLF behind it, valid only during the call. */
  publish(line: PublishLine, bytes: Buffer, start: number, end: number): void;
  /** Closes the connection, after `-ERR 'message'` when there is one. */
  fail(message: string | undefined, detail: string): void;
}

export interface ParserLimits {
  readonly maxControlLine: number;
  readonly maxPayload: number;
}

/** Where a connection stands between two chunks. */
export interface Parser {
  readonly sink: ParserSink;
  readonly limits: ParserLimits;
  readonly line: PublishLine;
  /** The start of a line whose end has not arrived. */
  carry: Buffer | undefined;
  /** Length of the payload being waited for; -1 between operations. */
  size: number;
  /** Payload that arrives in several chunks, with its line end, and how much of it is there. */
  body: Buffer | undefined;
  filled: number;
  /** Set for good by the first violation. */
  dead: boolean;
}

const LF = 10;
const CR = 13;
const FIRST_BYTES = new Set(Buffer.from('CcPpSsUuHhIi+-'));

const NEEDS_BLANK = new Set(['PUB', 'HPUB', 'SUB', 'UNSUB']);

/** A parser of the client side of the NATS protocol, fed with chunks of any size. */
export function createParser(sink: ParserSink, limits: ParserLimits): Parser {
  const line = { subject: '', reply: '', headerBytes: -1 };
  return { sink, limits, line, carry: undefined, size: -1, body: undefined, filled: 0, dead: false };
}

/** Takes the bytes of a client as they arrive. */
export function feed(parser: Parser, chunk: Buffer): void {
  let at = 0;
  while (at < chunk.length && !parser.dead) {
    at = parser.size === -1 ? readLine(parser, chunk, at) : readPayload(parser, chunk, at);
  }
}

function fail(parser: Parser, message: string | undefined, detail: string): void {
  parser.dead = true;
  parser.sink.fail(message, detail);
}

/** Reads one line from `at`; answers where the next byte to read stands. */
function readLine(parser: Parser, chunk: Buffer, at: number): number {
  const { carry } = parser;
  const newline = chunk.indexOf(LF, at);
  const end = newline === -1 ? chunk.length : newline;
  const first = carry === undefined ? chunk[at] : carry[0];
  if (first === undefined || !FIRST_BYTES.has(first)) {
    fail(parser, failures.unknownOperation, 'unknown operation');
  } else if ((carry?.length ?? 0) + end - at > parser.limits.maxControlLine) {
    fail(parser, failures.maxControlLine, 'line too long');
  } else if (newline === -1) {
    parser.carry = Buffer.concat([carry ?? Buffer.alloc(0), chunk.subarray(at)]);
  } else {
    const tail = chunk.toString('latin1', at, chunk[end - 1] === CR ? end - 1 : end);
    parser.carry = undefined;
    readOperation(parser, carry === undefined ? tail : withoutReturn(carry.toString('latin1') + tail));
  }
  return end + 1;
}

function readOperation(parser: Parser, text: string): void {
  const { sink } = parser;
  const at = endOfOperation(text);
  const name = text.slice(0, at).toUpperCase();
  if (!sink.accepts(name)) {
    parser.dead = true;
    return;
  }
  // Operations with arguments are recognised by the blank behind them.
  if (at === text.length && NEEDS_BLANK.has(name)) {
    return fail(parser, failures.unknownOperation, 'operation without arguments');
  }
  switch (name) {
    case 'PUB':
      return readPublish(parser, splitArguments(text, at), false);
    case 'HPUB':
      return readPublish(parser, splitArguments(text, at), true);
    case 'PING':
      return sink.ping();
    case 'PONG':
      return sink.pong();
    case 'SUB':
      return sink.subscribe(splitArguments(text, at));
    case 'UNSUB':
      return sink.unsubscribe(splitArguments(text, at));
    case 'CONNECT':
      return sink.connect(text.slice(at).trim());
    case '+OK':
    case 'INFO':
      return undefined;
    case '-ERR':
      return fail(parser, undefined, 'client reported an error');
    default:
      return fail(parser, failures.unknownOperation, 'unknown operation');
  }
}

function readPublish(parser: Parser, args: readonly string[], withHeaders: boolean): void {
  const { line } = parser;
  const numbers = withHeaders ? 2 : 1;
  if (args.length < numbers + 1 || args.length > numbers + 2) return fail(parser, undefined, 'malformed publish');
  const total = toSize(args[args.length - 1]);
  const header = withHeaders ? toSize(args[args.length - 2]) : -1;
  if (total === undefined || header === undefined || header > total) return fail(parser, undefined, 'bad size');
  if (total > parser.limits.maxPayload) return fail(parser, failures.maxPayload, `${total} bytes`);
  line.subject = args[0] ?? '';
  line.reply = args.length === numbers + 2 ? (args[1] ?? '') : '';
  line.headerBytes = header;
  parser.size = total;
}

/** Reads payload from `at`: straight from the chunk when it is whole there, else gathered in `body`. */
function readPayload(parser: Parser, chunk: Buffer, at: number): number {
  const needed = parser.size + 2;
  if (parser.body === undefined) {
    if (chunk.length - at >= needed) {
      finishPayload(parser, chunk, at);
      return at + needed;
    }
    parser.body = Buffer.allocUnsafeSlow(needed);
    parser.filled = 0;
  }
  const taken = chunk.copy(parser.body, parser.filled, at, Math.min(chunk.length, at + needed - parser.filled));
  parser.filled += taken;
  if (parser.filled === needed) {
    const whole = parser.body;
    parser.body = undefined;
    finishPayload(parser, whole, 0);
  }
  return at + taken;
}

function finishPayload(parser: Parser, bytes: Buffer, start: number): void {
  const end = start + parser.size;
  parser.size = -1;
  if (bytes[end] !== CR || bytes[end + 1] !== LF) {
    return fail(parser, failures.unknownOperation, 'payload without line end');
  }
  parser.sink.publish(parser.line, bytes, start, end);
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

function endOfOperation(text: string): number {
  for (let at = 0; at < text.length; at++) {
    if (isBlank(text.charCodeAt(at))) return at;
  }
  return text.length;
}

function splitArguments(text: string, from: number): string[] {
  const args: string[] = [];
  let start = -1;
  for (let at = from; at <= text.length; at++) {
    if (at === text.length || isBlank(text.charCodeAt(at))) {
      if (start !== -1) args.push(text.slice(start, at));
      start = -1;
    } else if (start === -1) start = at;
  }
  return args;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function toSize(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
