import type { FastifyInstance } from 'fastify';
import { blaming } from '@scriptorium/contracts';

export const formLimit = 16 * 1024;
const mostFields = 20;

/** Has bodies of this scope read as forms, maps of fields by name, and nothing else. Of several of one name the first counts. */
export function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: formLimit }, (_request, body, done) => {
    const fields = [...new URLSearchParams(String(body))].slice(0, mostFields);
    done(null, new Map(fields.reverse()));
  });
}

/** A field; empty where it is missing. */
export function field(body: unknown, name: string): string {
  if (!(body instanceof Map)) throw blaming('unsupported_media_type', 'headers.content-type', 'A form was expected');
  const value: unknown = body.get(name);
  return typeof value === 'string' ? value : '';
}
