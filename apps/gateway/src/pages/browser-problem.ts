import { finishSAMLSignIn, startSAMLSignIn, type AppError } from '@scriptorium/contracts';
import type { FastifyRequest } from 'fastify';
import type { ErrorAnswer } from '../http/answers/errors.js';
import { html, nothing, type Html } from './html.js';
import { pageHeaders } from './layout.js';
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
