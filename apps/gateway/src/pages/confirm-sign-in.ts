import { startSAMLSignIn, type Operation } from '@scriptorium/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { paths } from './paths.js';

/** Sites that a browser names for a request which another site made it send. */
const elsewhere = new Set(['cross-site', 'same-site']);

/**
 * Sends a browser that another site has sent here to sign in to a page of this origin, which asks its user first:
 * otherwise any site could sign its visitors in, as somebody whom it chose. True when the browser was sent there.
 * Connecting an account is refused by the service, as such a request comes without its session.
 */
export function asksFirst(op: Operation, request: FastifyRequest, reply: FastifyReply): boolean {
  if (op.id !== startSAMLSignIn.id || !elsewhere.has(String(request.raw.headers['sec-fetch-site']))) return false;
  if ((request.query as { connect?: unknown }).connect !== undefined) return false;
  const { samlProviderId = '' } = request.params as Record<string, string>;
  void reply
    .code(302)
    .header('location', `${paths.confirm}?provider=${encodeURIComponent(samlProviderId)}`)
    .header('cache-control', 'no-store')
    .send('');
  return true;
}
