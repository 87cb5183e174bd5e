import type { ApiInformation } from '@scriptorium/contracts';
import type { FastifyInstance } from 'fastify';
import { favicon, faviconPath } from '../pages/layout.js';
import { securityPath, securityText, type SecurityContact } from '../security-contact.js';

/** What the gateway says of the installation. */
export interface Installation extends ApiInformation {
  security?: SecurityContact | undefined;
}

/**
 * Serves what tools look for at usual paths: the version of the product, the contact for reports of weaknesses, if
 * there is one, and the icon. `now`: the time in ms. Returns the paths.
 */
export function registerInstallation(
  fastify: FastifyInstance,
  { version, build, security }: Installation,
  now: () => number = Date.now,
): string[] {
  const serve = (path: string, type: string, body: () => string, headers: Record<string, string> = {}): string => {
    fastify.get(path, (_request, reply) => reply.headers({ 'content-type': type, ...headers }).send(body()));
    return path;
  };
  // The version of the contract is the first part of the paths of operations.
  const about = JSON.stringify({ version, build, contract: 'v1' });
  return [
    serve('/version', 'application/json; charset=utf-8', () => about),
    serve(faviconPath, 'image/svg+xml', () => favicon, { 'cache-control': 'public, max-age=86400' }),
    ...(security === undefined
      ? []
      : [serve(securityPath, 'text/plain; charset=utf-8', () => securityText(security, now()))]),
  ];
}
