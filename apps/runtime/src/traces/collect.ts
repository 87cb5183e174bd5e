import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod';
import { readBody } from '../http/body.js';
import { close, listen } from '../http/listen.js';
import type { RawTrace } from './trace.js';

export interface TraceCollector {
  close(): Promise<void>;
}

/** The engine cuts at 250 KB of text, which can be six times as long in JSON. */
const largest = 2 * 1024 * 1024;
const word = z.string().max(40);
const text = z.string().max(largest);
const at = z.number().catch(0);

/** What the tail worker sends (see `pool/workers.ts`). */
const sent = z.array(
  z.object({
    call: z.string().max(100),
    outcome: word,
    truncated: z.boolean().catch(false),
    logs: z.array(z.object({ at, level: word, message: text })).max(100_000),
    exceptions: z.array(z.object({ at, name: text, message: text, stack: text.optional() })).max(10_000),
  }),
);

/** Receives the traces of one process of a script, at a socket that its tail worker alone can use. */
export async function startCollector(
  path: string,
  take: (call: string, trace: RawTrace) => void,
): Promise<TraceCollector> {
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request, largest);
    for (const { call, exceptions, ...trace } of parse(body))
      take(call, { ...trace, exceptions: exceptions.map(plain) });
    response.writeHead(204, body === undefined ? { connection: 'close' } : {}).end();
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  await listen(server, { path });
  return { close: () => close(server) };
}

function plain({ stack, ...others }: z.output<typeof sent>[number]['exceptions'][number]) {
  return stack === undefined ? others : { ...others, stack };
}

function parse(body: Buffer | undefined): z.output<typeof sent> {
  if (body === undefined) return [];
  try {
    return sent.parse(JSON.parse(body.toString('utf8')));
  } catch {
    return [];
  }
}
