import { ServerError } from './bson/errors.js';
import { bytesOf, entries, Reader, validate, Writer, type Elem, type Out } from './bson/index.js';

export const OP_REPLY = 1;
export const OP_QUERY = 2004;
export const OP_MSG = 2013;
const HEADER = 16;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;

/** Largest message a client may send, as announced. */
export const MAX_MESSAGE = 48_000_000;
/** Largest document, as announced. */
export const MAX_DOCUMENT = 16 * 1024 * 1024;

/** One command as it arrived: fields of its body, and document sequences by name. */
export interface Command {
  readonly name: string;
  readonly db: string;
  readonly fields: ReadonlyMap<string, Elem>;
  readonly sequences: ReadonlyMap<string, readonly Buffer[]>;
}

/** A message: its command (or why there is none) and how to answer. */
export interface Request {
  readonly id: number;
  readonly opCode: number;
  readonly command: Command | ServerError;
  readonly wantsReply: boolean;
}

export type Reply = { readonly [name: string]: Out };

/** Parses a complete message. Throws on bytes that are no message at all; the connection cannot go on then. */
export function parseMessage(b: Buffer): Request {
  const opCode = b.readInt32LE(12);
  const id = b.readInt32LE(4);
  if (opCode === OP_MSG) return parseMsg(b, id);
  if (opCode === OP_QUERY) return parseQuery(b, id);
  throw new Error(`Unsupported opcode ${opCode}`);
}

function parseMsg(b: Buffer, id: number): Request {
  const flags = b.readUInt32LE(HEADER);
  if ((flags & 0xffff & ~(CHECKSUM_PRESENT | MORE_TO_COME)) !== 0) throw new Error('Unknown flags in OP_MSG');
  const end = b.length - ((flags & CHECKSUM_PRESENT) === 0 ? 0 : 4);
  const wantsReply = (flags & MORE_TO_COME) === 0;
  try {
    return { id, opCode: OP_MSG, command: readSections(b, HEADER + 4, end), wantsReply };
  } catch (error) {
    if (error instanceof ServerError) return { id, opCode: OP_MSG, command: error, wantsReply };
    throw error;
  }
}

function readSections(b: Buffer, from: number, end: number): Command {
  let body: Buffer | undefined;
  const sequences = new Map<string, readonly Buffer[]>();
  let p = from;
  while (p < end) {
    const kind = b[p];
    p += 1;
    if (kind === 0) {
      if (body !== undefined) throw new ServerError(40430, 'Multiple body sections in message');
      const bodyEnd = validate(b, p, end);
      body = b.subarray(p, bodyEnd);
      p = bodyEnd;
    } else if (kind === 1) p = readSequence(b, p, end, sequences);
    else throw new ServerError(40432, 'Unknown section kind');
  }
  if (body === undefined) throw new ServerError(40587, 'OP_MSG messages must have a body');
  return commandOf(body, sequences, undefined);
}

function readSequence(b: Buffer, at: number, end: number, out: Map<string, readonly Buffer[]>): number {
  if (at + 5 > end) throw new ServerError(22, 'document sequence runs past the end of its message');
  const size = b.readInt32LE(at);
  const stop = at + size;
  if (size < 5 || stop > end) throw new ServerError(22, 'document sequence runs past the end of its message');
  const nameEnd = b.indexOf(0, at + 4);
  if (nameEnd < 0 || nameEnd >= stop) throw new ServerError(22, 'document sequence without a name');
  const name = b.toString('utf8', at + 4, nameEnd);
  if (out.has(name)) throw new ServerError(40431, `Duplicate document sequence: ${name}`);
  const docs: Buffer[] = [];
  for (let p = nameEnd + 1; p < stop;) {
    const next = validate(b, p, stop);
    docs.push(b.subarray(p, next));
    p = next;
  }
  out.set(name, docs);
  return stop;
}

function commandOf(body: Buffer, sequences: Map<string, readonly Buffer[]>, dbName: string | undefined): Command {
  const fields = new Map<string, Elem>();
  let name = '';
  const r = new Reader(body);
  while (r.next()) {
    const field = r.name;
    if (name === '') name = field;
    if (fields.has(field)) throw new ServerError(40413, `BSON field '${name}.${field}' is a duplicate field`);
    fields.set(field, r.elem());
  }
  const db = fields.get('$db');
  if (dbName === undefined && db?.t !== 2) throw new ServerError(40571, 'OP_MSG requests require a $db argument');
  return { name, db: dbName ?? (db === undefined ? '' : db.b.toString('utf8', db.s + 4, db.e - 1)), fields, sequences };
}

/** What may still come in the old way, as on the real server. */
const OLD_COMMANDS = ['hello', 'isMaster', 'ismaster', 'buildInfo', 'buildinfo', 'saslStart', 'saslContinue'];

/** The old first hello: a query on `<db>.$cmd`. */
function parseQuery(b: Buffer, id: number): Request {
  const nsEnd = b.indexOf(0, HEADER + 4);
  if (nsEnd < 0 || nsEnd + 9 > b.length) throw new Error('Malformed OP_QUERY');
  const ns = b.toString('utf8', HEADER + 4, nsEnd);
  const at = nsEnd + 9;
  const body = b.subarray(at, validate(b, at, b.length));
  const [first] = entries({ t: 3, b: body, s: 0, e: body.length });
  const inner = first?.[0] === '$query' ? bytesOf(first[1]) : body;
  const [db = '', ...rest] = ns.split('.');
  return { id, opCode: OP_QUERY, command: oldCommand(db, rest.join('.'), inner), wantsReply: true };
}

function oldCommand(db: string, collection: string, body: Buffer): Command | ServerError {
  if (collection !== '$cmd')
    return new ServerError(5739101, 'OP_QUERY is no longer supported. The client driver may require an upgrade.');
  try {
    const command = commandOf(body, new Map(), db);
    return OLD_COMMANDS.includes(command.name)
      ? command
      : new ServerError(
          352,
          `Unsupported OP_QUERY command: ${command.name}. The client driver may require an upgrade.`,
        );
  } catch (error) {
    if (error instanceof ServerError) return error;
    throw error;
  }
}

/** Room for a reply, so that the documents of a batch are copied once. */
function sizeOf(reply: Reply): number {
  const cursor = reply['cursor'] as { firstBatch?: unknown; nextBatch?: unknown } | undefined;
  const batch = cursor?.firstBatch ?? cursor?.nextBatch;
  if (!Array.isArray(batch)) return 512;
  return (batch as unknown[]).reduce<number>((sum, doc) => sum + (Buffer.isBuffer(doc) ? doc.length + 8 : 64), 512);
}

/** A reply message for a request. */
export function encodeReply(request: Request, id: number, reply: Reply): Buffer {
  const w = new Writer(sizeOf(reply));
  const head = request.opCode === OP_QUERY ? HEADER + 20 : HEADER + 5;
  w.need(head);
  w.b.fill(0, 0, head);
  w.n = head;
  if (request.opCode === OP_QUERY) w.b.writeInt32LE(1, HEADER + 16);
  w.document(reply);
  w.b.writeInt32LE(w.n, 0);
  w.b.writeInt32LE(id, 4);
  w.b.writeInt32LE(request.id, 8);
  w.b.writeInt32LE(request.opCode === OP_QUERY ? OP_REPLY : OP_MSG, 12);
  return w.done();
}
