import type { Deprecation } from '@scriptorium/contracts';
import type { FastifyReply } from 'fastify';

/** Headers of every answer. Answers are private to their caller and are data, never a page. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}

/** Puts the common headers and the request id on an answer. */
export type Stamp = (reply: FastifyReply) => void;

/** Builds the stamp. */
export function createStamp(publicUrl: string): Stamp {
  const names = Object.entries(securityHeaders(publicUrl));
  return (reply) => {
    for (const [name, value] of names) reply.header(name, value);
    reply.header('x-request-id', reply.request.id);
  };
}

/** Tells callers of an operation that it will go, when, and what to call instead (RFC 9745, RFC 8594). */
export function deprecationHeaders({ since, sunset, successor }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    sunset: new Date(sunset).toUTCString(),
    link: `</v1${successor}>; rel="successor-version"`,
  };
}

/** What of a service's words may stand in a header. */
export const visible = /^[\x21-\x7e]{1,2048}$/;
