import { AppError, isReason } from '@scriptorium/contracts';
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';

const largestRefusal = 16 * 1024;

const Refusal = z.object({
  reason: z.string(),
  message: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })),
  retryAfter: z.number().optional(),
});

/** The refusal that a replica has answered instead of bytes. */
export async function refusalIn(response: IncomingMessage): Promise<AppError> {
  const refusal = Refusal.safeParse(await jsonIn(response).catch(() => undefined));
  if (!refusal.success || !isReason(refusal.data.reason)) return new AppError('unavailable', [], { retryAfter: 1 });
  const { reason, message, details, retryAfter } = refusal.data;
  return new AppError(reason, details, { message, ...(retryAfter === undefined ? {} : { retryAfter }) });
}

async function jsonIn(response: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > largestRefusal) break;
  }
  return JSON.parse(text);
}
