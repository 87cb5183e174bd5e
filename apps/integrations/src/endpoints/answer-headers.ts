import { policyText, type IntegrationContentSecurityPolicy } from '@scriptorium/contracts';
import { isCallbackCookie } from './callback-cookie-name.js';

/** Where an answer is shown. */
export interface ShownAt {
  /** The path that all addresses of the integration begin with. */
  path: string;
  /** Whether other integrations have the same origin. */
  isShared: boolean;
  policy: IntegrationContentSecurityPolicy | null;
}

export type HeaderPairs = readonly (readonly [string, string])[];

/** About a connection, or about more than one origin. */
const dropped: ReadonlySet<string> = new Set([
  'alt-svc',
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'public-key-pins',
  'strict-transport-security',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
]);
/** What one integration would do to others at the same origin. */
const droppedIfShared: ReadonlySet<string> = new Set(['clear-site-data', 'service-worker-allowed']);
const policyHeader = 'content-security-policy';
const sandbox = 'sandbox allow-scripts allow-forms allow-popups';

const defaults: HeaderPairs = [
  ['cache-control', 'no-store'],
  ['cross-origin-resource-policy', 'cross-origin'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
];

/** The headers with which the answer of a script is shown. Pure. */
export function answerHeaders(given: HeaderPairs, at: ShownAt): Record<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const [named, value] of given) {
    const name = named.toLowerCase();
    if (dropped.has(name) || name.startsWith('scriptorium-') || (at.isShared && droppedIfShared.has(name))) continue;
    const kept = name === 'set-cookie' ? narrowedCookie(value, at) : value;
    if (kept !== undefined) headers.set(name, [...(headers.get(name) ?? []), kept]);
  }
  const own = [policyText(at.policy), at.isShared ? sandbox : undefined].filter((one) => one !== undefined);
  if (own.length > 0) headers.set(policyHeader, [...(headers.get(policyHeader) ?? []), ...own]);
  for (const [name, value] of defaults) if (!headers.has(name)) headers.set(name, [value]);
  headers.set('x-content-type-options', ['nosniff']);
  return Object.fromEntries(headers);
}

/**
 * A cookie for this host alone, and for the paths of the integration where others have the same host. `undefined` for
 * one that only the product sets.
 */
function narrowedCookie(text: string, { path, isShared }: ShownAt): string | undefined {
  const [pair = '', ...attributes] = text.split(';');
  if (!pair.includes('=') || isCallbackCookie(pair.split('=', 1)[0] ?? '')) return undefined;
  const kept = attributes.filter((one) => !/^\s*domain\s*(=|$)/i.test(one));
  if (!isShared) return [pair, ...kept].join(';');
  const named = kept
    .findLast((one) => /^\s*path\s*=/i.test(one))
    ?.split('=', 2)[1]
    ?.trim();
  const isBelow = named === path || named?.startsWith(`${path}/`) === true;
  const others = kept.filter((one) => !/^\s*path\s*(=|$)/i.test(one));
  return [pair, ...others, ` Path=${isBelow ? named : path}`].join(';');
}
