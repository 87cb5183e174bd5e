import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const idForm = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's `X-Request-Id` if it has the form of an id, otherwise a new id. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && idForm.test(given) ? given : randomUUID();
}
