import { AppError, readIntegrationImage } from '@scriptorium/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Requester } from '../services/client.js';

const { input, response, service, id: operation, deadlineMs: timeoutMs } = readIntegrationImage;

/** Images that are under way at once. */
const mostAtOnce = 64;

/** An address names the bytes, so they can be kept; nothing that they have runs in a browser. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/**
 * Shows icons and previews of integrations beside the bytes of files. They are small, so they come as an answer of the
 * service.
 */
export function addIntegrationImages(host: FastifyInstance, client: Requester): void {
  let underWay = 0;
  const show = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const wanted = input.safeParse(request.params);
    if (!wanted.success) throw new AppError('not_found');
    if (underWay >= mostAtOnce)
      throw new AppError('unavailable', [], { message: 'Too many images are under way', retryAfter: 1 });
    underWay += 1;
    try {
      const call = { service, operation, body: Buffer.from(JSON.stringify(wanted.data)), headers: {}, timeoutMs };
      const { body } = await client.request({ ...call, reads: true });
      const { type, base64 } = response.parse(JSON.parse(new TextDecoder().decode(body)));
      return await reply
        .headers({ ...headers, 'content-type': type, etag: `"${wanted.data.hash}"` })
        .send(Buffer.from(base64, 'base64'));
    } finally {
      underWay -= 1;
    }
  };
  host.get('/integrations/:integration/:hash/:name', { exposeHeadRoute: true }, show);
}
