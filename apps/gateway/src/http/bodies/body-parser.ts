import { blaming, type Operation } from '@scriptorium/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { codingOf, decodeBody } from './coded-body.js';

const typeForm: Readonly<Record<Operation['consumes'], RegExp>> = {
  'application/json': /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset=(?:"utf-8"|utf-8)\s*)?$/i,
  'application/x-www-form-urlencoded': /^application\/x-www-form-urlencoded\s*(?:;\s*charset=(?:"utf-8"|utf-8)\s*)?$/i,
};

/**
 * Reads bodies as bytes, if they have the media type of the operation. The body of an operation that takes none is
 * dropped.
 */
export function registerBodyParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    const { operation } = request.routeOptions.config;
    if (operation?.body === undefined || body.length === 0) return done(null, undefined);
    try {
      const coding = codingOf(request.headers['content-encoding']);
      if (!typeForm[operation.consumes].test(request.headers['content-type'] ?? '')) {
        const message = `The body must be ${operation.consumes} in UTF-8`;
        throw blaming('unsupported_media_type', 'headers.content-type', message);
      }
      if (coding === undefined) return done(null, body);
      decodeBody(body, coding, operation.bodyLimit).then((plain) => done(null, plain), done);
    } catch (error) {
      done(error as Error);
    }
  });
}
