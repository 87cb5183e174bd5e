import type { IncomingMessage } from 'node:http';
import * as z from 'zod';

/** What a script has answered. */
export interface ScriptAnswer {
  status: number;
  headers: readonly (readonly [string, string])[];
  body: Buffer;
}

/** Why there is no answer of a script: a reason of the runtime, or `unreachable`. */
export interface CallFailure {
  reason: string;
  message: string;
  /** Milliseconds after which another try may succeed. */
  retryAfterMs?: number;
}

/** An answer of the runtime. */
export interface Answered {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

const Head = z.object({ status: z.int(), headers: z.array(z.tuple([z.string(), z.string()])) });
const Refused = z.object({ error: z.object({ reason: z.string(), message: z.string() }) });
const newLine = 0x0a;
const answerBytes = 10 * 1024 * 1024;
/** With the line before it, which has status and headers. */
const mostBytes = answerBytes + 64 * 1024;

const tooLarge: CallFailure = { reason: 'answer_too_large', message: 'The script answered with more than 10 MiB' };

/** A script answers with more than it may. */
class AnswerTooLarge extends Error {}

/** The body of an answer of the runtime. Fails with the first byte that is too many. */
export async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new AnswerTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** What a complete answer of the runtime says. */
export function resultOf({ status, headers, body }: Answered): { answer: ScriptAnswer } | { failure: CallFailure } {
  if (status !== 200) return { failure: refusalOf({ status, headers, body }) };
  const end = body.indexOf(newLine);
  const head = Head.safeParse(parsed(body.subarray(0, Math.max(end, 0))));
  if (end === -1 || !head.success) return { failure: { reason: 'script_failed', message: 'The answer has no head' } };
  const answer = { ...head.data, body: body.subarray(end + 1) };
  return answer.body.length > answerBytes ? { failure: tooLarge } : { answer };
}

function refusalOf({ status, headers, body }: Answered): CallFailure {
  const refused = Refused.safeParse(parsed(body));
  const seconds = Number(headers['retry-after']);
  return {
    reason: refused.success ? refused.data.error.reason : 'unexpected',
    message: refused.success ? refused.data.error.message : `The runtime answered ${status}`,
    ...(Number.isFinite(seconds) ? { retryAfterMs: seconds * 1000 } : {}),
  };
}

function parsed(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Why there is no answer of the runtime. Whether a call may have begun: a connection that was refused has not. */
export function failureOf(error: unknown, deadlineMs: number): CallFailure {
  if (error instanceof AnswerTooLarge) return tooLarge;
  const { name, code } = error as Error & { code?: string };
  if (name === 'AbortError' || name === 'TimeoutError')
    return { reason: 'integration_timeout', message: `There was no answer within ${deadlineMs} ms` };
  if (code !== undefined && neverBegun.has(code))
    return { reason: 'unreachable', message: 'No runtime of scripts can be reached' };
  return { reason: 'interrupted', message: 'The connection to the runtime has ended' };
}

const neverBegun: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
]);
