import { AppError } from '@scriptorium/contracts';
import { escapeHTML, type Scope } from '@scriptorium/platform';
import type { IncomingMessage } from 'node:http';
import type { Addresses } from '../addresses/index.js';
import { findInstallation } from '../installations/index.js';
import type { StoredIntegration } from '../publishing/index.js';
import { callbackCookie, hasCallbackCookie } from './callback-cookie.process.js';
import { takeCallback } from './callbacks.operational.js';
import { statedIds } from './named-installations.js';

/** What a request is answered with, without a script. */
export interface PlainAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

type Within = Pick<Scope, 'database' | 'now' | 'store' | 'keys'>;

/**
 * Opens a one-time address: the browser gets the cookie of the installation, and goes on.
 * @throws AppError `not_found` for an address that was opened, or is too old; `method_not_allowed`
 */
export async function openOneTimeAddress(
  scope: Within,
  addresses: Addresses,
  { integration, token, method }: { integration: StoredIntegration; token: string; method: string },
): Promise<PlainAnswer> {
  if (method !== 'GET') throw new AppError('method_not_allowed');
  const callback = await takeCallback(scope, integration._id, token);
  if (callback === null) return page(404, 'This address was opened before, or is too old.', integration.title);
  const isSecure = addresses.isSecure;
  const cookie = callbackCookie(scope.keys, callback, { now: scope.now(), isSecure });
  const headers = { location: callback.to, 'set-cookie': cookie, 'cache-control': 'no-store' };
  return { status: 303, headers: { ...headers, 'referrer-policy': 'no-referrer' }, body: Buffer.alloc(0) };
}

/**
 * The refusal of a browser that comes back with the login of somebody at another service for an installation, and has
 * not begun it here: otherwise anybody who knows the id of an installation could connect their account to it.
 */
export async function refuseForeignLogin(
  scope: Within,
  addresses: Addresses,
  integration: StoredIntegration,
  { url = '', headers: { cookie } }: IncomingMessage,
): Promise<PlainAnswer | undefined> {
  const ids = statedIds(url);
  const refused = () =>
    page(403, 'This browser has not begun to connect an account here, or has begun too long ago.', integration.title);
  if (ids === undefined) return refused();
  for (const installationId of ids) {
    if ((await findInstallation(scope, { integrationName: integration.name, installationId })) === null) continue;
    const of = { integration: integration._id, installation: installationId };
    if (!hasCallbackCookie(scope.keys, of, { cookies: cookie, now: scope.now(), isSecure: addresses.isSecure }))
      return refused();
  }
  return undefined;
}

function page(status: number, message: string, title: string): PlainAnswer {
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHTML(title)}</title>
<h1>${escapeHTML(title)}</h1><p>${escapeHTML(message)}</p>
<p>Begin again: open the configuration of the integration, and press its button there.</p></html>`;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
    body: Buffer.from(text),
  };
}
