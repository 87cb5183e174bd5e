import { Readable } from 'node:stream';
import type { Operation } from '@scriptorium/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Asks a service for the page of an input, with further headers. */
export type AskPage = (input: Buffer, headers?: Record<string, string>) => Promise<Uint8Array>;

const linesType = 'application/x-ndjson';
/** The caller of an answer is checked at its start; services accept its signature for five minutes. */
const maxMs = 60_000;
const maxLines = 100_000;
/** A client that does not read keeps a page in memory. */
const closeAfterMs = 120_000;

interface Page {
  items: { cursor: string }[];
  more?: boolean;
  next?: { page: string };
}

/** Whether a request asks for the items of a list as lines. */
export function wantsLines({ stream }: Operation, { method, headers }: FastifyRequest): boolean {
  return (
    stream?.lines === true && method === 'GET' && /(^|,)\s*application\/x-ndjson\s*(;|,|$)/i.test(headers.accept ?? '')
  );
}

/**
 * Answers with one item a line. The next page is read when the client has taken the last one. If a page cannot be read,
 * the connection breaks, so that a client does not take what it has for everything; each line has the cursor from which
 * it goes on.
 */
export async function sendLines(
  op: Operation,
  reply: FastifyReply,
  input: Buffer,
  ask: AskPage,
): Promise<FastifyReply> {
  // A refusal of the first page is answered like any other.
  const first = pageOf(await ask(input));
  const close = setTimeout(() => reply.raw.destroy(), closeAfterMs);
  reply.raw.once('close', () => clearTimeout(close));
  const lines = Readable.from(linesOf(op, input, first, ask), { highWaterMark: 1 });
  return reply.code(200).headers({ 'content-type': linesType, 'cache-control': 'no-store' }).send(lines);
}

async function* linesOf(op: Operation, input: Buffer, first: Page, ask: AskPage): AsyncGenerator<string> {
  const end = performance.now() + maxMs;
  let page = first;
  let count = 0;
  for (;;) {
    if (page.items.length > 0) yield page.items.map((item) => `${JSON.stringify(item)}\n`).join('');
    count += page.items.length;
    const cursor = page.next?.page;
    if (page.more !== true || cursor === undefined || count >= maxLines || performance.now() > end) return;
    page = pageOf(await ask(behind(op, input, cursor)));
  }
}

function pageOf(body: Uint8Array): Page {
  return JSON.parse(new TextDecoder().decode(body)) as Page;
}

function behind({ stream }: Operation, input: Buffer, cursor: string): Buffer {
  const { query, ...rest } = JSON.parse(input.toString('utf8')) as { query: object };
  return Buffer.from(JSON.stringify({ ...rest, query: { ...query, [stream?.after ?? 'after']: cursor } }));
}
