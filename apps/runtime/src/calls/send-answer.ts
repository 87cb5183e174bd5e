import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { atMost } from '../http/body.js';
import type { Refusal } from '../refusal.js';
import type { ScriptAnswer } from './attempt.js';

export const answerType = 'application/vnd.scriptorium.script-answer';
export const idHeader = 'scriptorium-call';
/** Callers see from what is beyond 10 MiB that an answer is too large, and not broken off. */
const largestAnswer = 11 * 1024 * 1024;

/**
 * Sends the answer of a script as a body: a line of JSON with status and headers, and then its body as it comes. So
 * nothing that a script answers is a header or a status of this process. An answer that is too large, or not complete
 * at the deadline, ends with its connection.
 */
export async function sendAnswer(
  response: ServerResponse,
  { status, headers, held, rest }: ScriptAnswer,
  signal: AbortSignal,
): Promise<void> {
  const head = Buffer.from(`${JSON.stringify({ status, headers })}\n`);
  response.setHeader('content-type', answerType);
  if (rest === undefined) {
    response.writeHead(200, { 'content-length': head.length + held.length });
    response.end(Buffer.concat([head, held]));
    return;
  }
  response.writeHead(200);
  response.write(head);
  const chunks = async function* (): AsyncGenerator<Buffer> {
    yield held;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  };
  await pipeline(Readable.from(chunks(), { objectMode: false }), atMost(largestAnswer), response, { signal });
}

/** Sends a refusal as JSON; where an answer has begun, its connection is ended instead. */
export function sendRefusal(response: ServerResponse, refusal: Refusal, status: number): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { reason, message, field, retryAfter } = refusal;
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  const body = JSON.stringify({ error: { code: status, reason, message, ...(field === undefined ? {} : { field }) } });
  // What is left of a body that was refused is not read.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body);
}
