import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const sane = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's `X-Request-Id` when it is a plain short word, otherwise a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && sane.test(given) ? given : randomUUID();
}
