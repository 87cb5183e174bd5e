import { finishSAMLSignIn, startSAMLSignIn, type AppError } from '@scriptorium/contracts';
import type { FastifyRequest } from 'fastify';
import type { ErrorAnswer } from '../http/errors.js';
import { html, nothing, type Html } from './html.js';
import { pageHeaders } from './layout.js';
import { problemPage } from './sign-in.page.js';
import { wordsOf } from './sign-in.routes.js';

/** A refusal as a page, for a person whose browser was sent to an operation; undefined for all others, who get it as it is rendered. */
export function showProblem(error: AppError, request: FastifyRequest, { status, headers }: ErrorAnswer): ErrorAnswer | undefined {
  const op = request.routeOptions.config.operation;
  if (op?.browser !== true || !/\btext\/html\b/.test(request.headers.accept ?? '')) return undefined;
  const wayOut = error.reason === 'already_exists' && op.id === finishSAMLSignIn.id ? connecting(request) : nothing;
  return { status, headers: { ...headers, ...pageHeaders }, body: problemPage(wordsOf(error), wayOut) };
}

/** How an account that is there already is connected to the provider. */
function connecting({ params }: FastifyRequest): Html {
  const { samlProviderId = '' } = params as { samlProviderId?: string };
  const start = `/v1${startSAMLSignIn.path.replace('{samlProviderId}', samlProviderId)}?connect=true`;
  return html`<section>
<p>If the account is yours, sign in to it as you did before, and then <a href="${start}">connect it to your organization</a>. An admin of the organization can also let you in.</p>
</section>`;
}
