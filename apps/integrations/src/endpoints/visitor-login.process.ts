import type { ServiceAccess } from '@scriptorium/access';
import { AppError, blaming } from '@scriptorium/contracts';
import { escapeHTML, type Scope } from '@scriptorium/platform';
import type { CallScript } from '../dispatch/index.js';
import { findInstallation, type FoundInstallation } from '../installations/index.js';
import type { StoredIntegration } from '../publishing/index.js';
import type { ScriptAnswer } from '../scripts/index.js';
import type { PlainAnswer } from './login-guard.process.js';
import { loginLocation } from './login-location.js';
import { stateOnSite } from './site-state.queries.js';

/** A visitor who has to sign in before they see a site. */
export interface VisitorLogin {
  integration: StoredIntegration;
  installation: string;
  site: string;
  method: string;
  /** The address that was asked for. */
  url: string;
}

interface Parts {
  access: ServiceAccess;
  callScript: Pick<CallScript, 'run'>;
}

const deadlineMs = 10_000;
const retryAfterSeconds = 5;

/**
 * Has the script of an integration send a visitor to where they sign in. What is not a redirect, and whatever fails, is
 * 503: nobody is let in.
 * @throws AppError `not_found`, `method_not_allowed`, `invalid_request` that names `query.location`
 */
export async function sendToLogin(
  scope: Scope,
  parts: Parts,
  login: VisitorLogin,
): Promise<{ answer: ScriptAnswer } | { refused: PlainAnswer }> {
  const { integration, installation: installationId, site, method, url } = login;
  if (method !== 'GET' && method !== 'HEAD') throw new AppError('method_not_allowed');
  const found = await findInstallation(scope, { integrationName: integration.name, installationId });
  if (found === null) throw new AppError('not_found');
  const state = await stateOnSite(scope, parts.access, { found, site, needs: 'site:visitor:auth' });
  if (state === 'not_installed' || state === 'scope_missing') throw new AppError('not_found');
  if (state !== 'ready') return { refused: unavailable(integration.title) };
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
  const location = loginLocation(query.get('location'));
  if (location === undefined)
    throw blaming('invalid_request', 'query.location', 'Must be a path on the site, without a token');
  try {
    return { answer: await called(parts, found, site, location) };
  } catch (error) {
    if (error instanceof AppError && error.reason !== 'unexpected') return { refused: unavailable(integration.title) };
    throw error;
  }
}

async function called(
  { callScript }: Parts,
  { installation, integration }: FoundInstallation,
  site: string,
  location: string,
): Promise<ScriptAnswer> {
  const { status, headers } = await callScript.run({
    integration: integration._id,
    installation: installation._id,
    organization: installation.organization,
    target: { kind: 'site', id: site },
    type: 'fetch_visitor_authentication',
    event: location === '' ? {} : { location },
    deadlineMs,
    // It may have begun something at the other service.
    repeat: 'never',
    isRecorded: true,
    refuses: (answer) => (isRedirect(answer) ? undefined : new AppError('integration_failed')),
  });
  const others = headers.filter(([name]) => name.toLowerCase() !== 'cache-control');
  return { status, headers: [...others, ['cache-control', 'no-store']], body: Buffer.alloc(0) };
}

/** Whether an answer sends a browser to an address of the web. */
function isRedirect({ status, headers }: ScriptAnswer): boolean {
  const to = headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '';
  return [302, 303, 307].includes(status) && ['http:', 'https:'].includes(URL.parse(to)?.protocol ?? '');
}

function unavailable(title: string): PlainAnswer {
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHTML(title)}</title>
<h1>You cannot sign in right now</h1><p>The integration that signs visitors in gives no answer. Try again later.</p></html>`;
  return {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'retry-after': String(retryAfterSeconds),
      'x-content-type-options': 'nosniff',
    },
    body: Buffer.from(text),
  };
}
