import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import { blame } from '../refusal.js';

/** What a caller says about a call, in headers. */
export interface RunHeaders {
  integration: string;
  version: number;
  /** The organization for which it is called; needed where organizations have processes of their own. */
  organization: string | undefined;
  /** Milliseconds for the whole call. */
  deadline: number;
  /** Whether the call may be made again, alone, when its process was ended because of another one. */
  repeat: boolean;
}

export const longestDeadlineMs = 30_000;
const id = z.string().regex(/^[\w.-]{1,128}$/, 'Must be 1 to 128 letters, digits, "_", "." or "-"');
const headers = z.object({
  'scriptorium-integration': id,
  'scriptorium-version': z.coerce.number().int().min(1).max(1_000_000_000),
  'scriptorium-organization': id.optional(),
  'scriptorium-deadline': z.coerce.number().int().min(1).max(longestDeadlineMs),
  'scriptorium-repeat': z.enum(['alone', 'never']),
});

/** @throws Refusal naming the header */
export function readRunHeaders(given: IncomingHttpHeaders): RunHeaders {
  const parsed = headers.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw blame(`headers.${String(issue?.path[0])}`, issue?.message ?? 'Is not valid');
  }
  return {
    integration: parsed.data['scriptorium-integration'],
    version: parsed.data['scriptorium-version'],
    organization: parsed.data['scriptorium-organization'],
    deadline: parsed.data['scriptorium-deadline'],
    repeat: parsed.data['scriptorium-repeat'] === 'alone',
  };
}

/** The request that the script gets. */
export interface Envelope {
  headers: Record<string, string>;
  body: Buffer;
  environment: unknown;
}

/** Headers that the script gets as they came. */
const passedToScript = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * The multipart envelope: `event` and `environment` as JSON, and `fetch-body`. It is passed on byte by byte, and read
 * only for the secrets that its trace may not show.
 * @throws Refusal naming the part
 */
export async function readEnvelope(given: IncomingHttpHeaders, body: Buffer): Promise<Envelope> {
  const type = given['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) throw blame('headers.content-type', 'Must be multipart/form-data');
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => {
    throw blame('body', 'Must be multipart/form-data');
  });
  const json = (name: string): object => {
    const text = form.get(name);
    const value = typeof text === 'string' ? parsed(text) : undefined;
    if (typeof value !== 'object' || value === null) throw blame(`body.${name}`, 'Must be a field with a JSON object');
    return value;
  };
  json('event');
  const environment = json('environment');
  const kept = passedToScript.flatMap((name) => {
    const value = given[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return { headers: Object.fromEntries(kept) as Record<string, string>, body, environment };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
