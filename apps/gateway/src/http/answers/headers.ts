import type { Deprecation } from '@scriptorium/contracts';
import type { FastifyReply } from 'fastify';

/** Headers of every answer. Unless a route says otherwise, an answer is private to its caller and is not a page. */
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
export type SetCommonHeaders = (reply: FastifyReply) => void;

/** Builds the function that sets the common headers. */
export function commonHeaders(publicUrl: string): SetCommonHeaders {
  const names = Object.entries(securityHeaders(publicUrl));
  return (reply) => {
    for (const [name, value] of names) reply.header(name, value);
    reply.header('x-request-id', reply.request.id);
  };
}

/** Headers of a deprecated operation: when it will be removed, and what replaces it (RFC 9745, RFC 8594). */
export function deprecationHeaders({ since, sunset, successor }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    sunset: new Date(sunset).toUTCString(),
    link: `</v1${successor}>; rel="successor-version"`,
  };
}

/** Form that a value from a service must have to be put into a header. */
export const headerForm = /^[\x21-\x7e]{1,2048}$/;
