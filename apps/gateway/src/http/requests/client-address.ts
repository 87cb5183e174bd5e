import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

const withPort = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i;

/**
 * The IP address of a client: the one that the trusted proxies put into `X-Forwarded-For`, or that of the connection.
 * Some proxies add a port, which is removed. Anything else than an address is ignored.
 */
export function clientAddress(request: FastifyRequest): string {
  const { ip, socket } = request;
  if (isIP(ip) !== 0) return ip;
  const [, v6, v4] = withPort.exec(ip) ?? [];
  const address = v6 ?? v4 ?? '';
  return isIP(address) === 0 ? (socket.remoteAddress ?? '') : address;
}
