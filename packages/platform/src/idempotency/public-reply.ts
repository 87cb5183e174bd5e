import { type Operation, wireHeader } from '@scriptorium/contracts';
import type { WireReply } from '../handlers/exchange.js';

/** A session is a secret too, so a repeated request gets none. */
export function publicHeaders({ headers = {} }: WireReply): Record<string, string> {
  const { [wireHeader.session]: _session, ...others } = headers;
  return others;
}

/** The body without fields that are shown once. */
export function publicBody(body: Uint8Array, { secret }: Operation): string {
  const text = Buffer.from(body).toString('utf8');
  if (secret.length === 0 || text === '') return text;
  const fields = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify(Object.fromEntries(Object.entries(fields).filter(([name]) => !secret.includes(name))));
}
