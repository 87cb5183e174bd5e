import { finishSAMLSignIn, startSAMLSignIn, type AppError, type Operation } from '@scriptorium/contracts';
import type { FastifyRequest, FastifyReply } from 'fastify';
import type { ErrorAnswer } from '../http/errors.js';
import { html, nothing, type Html, pageHeaders } from './layout.js';
import { paths } from './page-request.js';
import { problemPage } from './sign-in.page.js';
import { messageFor } from './sign-in.routes.js';

/** A refusal as a page, if a browser calls an operation that browsers are sent to; undefined otherwise. */
export function problemForBrowser(
  error: AppError,
  request: FastifyRequest,
  { status, headers }: ErrorAnswer,
): ErrorAnswer | undefined {
  const op = request.routeOptions.config.operation;
  if (op?.browser !== true || !/\btext\/html\b/.test(request.headers.accept ?? '')) return undefined;
  const help = error.reason === 'already_exists' && op.id === finishSAMLSignIn.id ? howToConnect(request) : nothing;
  return { status, headers: { ...headers, ...pageHeaders }, body: problemPage(messageFor(error), help) };
}

/** How to connect an existing account to the identity provider. */
function howToConnect({ params }: FastifyRequest): Html {
  const { samlProviderId = '' } = params as { samlProviderId?: string };
  const start = `/v1${startSAMLSignIn.path.replace('{samlProviderId}', samlProviderId)}?connect=true`;
  return html`<section>
    <p>
      If the account is yours, sign in to it as you did before, and then
      <a href="${start}">connect it to your organization</a>. An admin of the organization can also let you in.
    </p>
  </section>`;
}

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
