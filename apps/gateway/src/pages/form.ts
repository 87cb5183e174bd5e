import type { FastifyInstance } from 'fastify';
import { blaming } from '@scriptorium/contracts';

export const formLimit = 16 * 1024;
const maxFields = 20;

/**
 * Reads bodies of this scope as forms, into a map of fields by name. Of several fields with one name the first is used.
 */
export function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formLimit },
    (_request, body, done) => {
      const fields = [...new URLSearchParams(String(body))].slice(0, maxFields);
      done(null, new Map(fields.reverse()));
    },
  );
}

/** A field of a form; empty if it is missing. */
export function field(body: unknown, name: string): string {
  if (!(body instanceof Map))
    throw blaming('unsupported_media_type', 'headers.content-type', 'The body must be a form');
  const value: unknown = body.get(name);
  return typeof value === 'string' ? value : '';
}
