import type { IntegrationContentSecurityPolicy } from './integration.js';
import { integrationBounds } from './bounds.js';
import { policyDirectives } from './words.js';

const known: ReadonlySet<string> = new Set(policyDirectives);

/** The content security policy of an integration as a header, of directives that are known. Pure. */
export function policyText(policy: IntegrationContentSecurityPolicy | null): string | undefined {
  if (policy === null) return undefined;
  const given =
    typeof policy === 'string'
      ? policy.split(';').map((one) => one.trim())
      : Object.entries(policy).map(([name, value]) => `${name} ${value}`.trim());
  const directives = given.filter((one) => known.has(one.split(/\s/, 1)[0]?.toLowerCase() ?? '') && isOneLine(one));
  const text = directives.join('; ');
  return text === '' || text.length > integrationBounds.policy ? undefined : text;
}

/** A source of a policy that names a host. */
interface PolicySource {
  /** `https` or `wss`; `undefined` where it is that of the page. */
  scheme: string | undefined;
  /** In lower case, without what stands for others below it. */
  host: string;
  /** The source is `*.host`: hosts below it, and not the host itself. */
  isBelow: boolean;
  /** `*` for any; empty for that of the scheme. */
  port: string;
  /** Begins with `/`; empty for any. One without `/` at its end is one alone. */
  path: string;
}

const hostSource = /^(?:(https|wss):\/\/)?(\*\.)?([a-z\d-]+(?:\.[a-z\d-]+)+)(?::(\d{1,5}|\*))?(\/[\w.~%+/-]*)?$/i;

/** What a source of a policy names; `undefined` for what names no host, such as `*`, `https:` and `'self'`. Pure. */
export function sourceOf(text: string): PolicySource | undefined {
  const [, scheme, star, host, port = '', path = ''] = hostSource.exec(text) ?? [];
  if (host === undefined) return undefined;
  return { scheme: scheme?.toLowerCase(), host: host.toLowerCase(), isBelow: star !== undefined, port, path };
}

const mostFrameSources = 20;

/**
 * The sources from which an integration states that it shows frames: hosts by https, perhaps with `*.` before them, a
 * port and a path behind. Those that name no host (`*`, `https:`) are left out. Pure.
 */
export function frameSources(policy: IntegrationContentSecurityPolicy | null): string[] {
  const directives = (policyText(policy) ?? '').split('; ').map((one) => one.trim().split(/\s+/));
  const [, ...sources] = directives.find(([name]) => name?.toLowerCase() === 'frame-src') ?? [];
  return sources
    .filter((text) => isOfFrames(sourceOf(text)))
    .map((text) => `https://${text.replace(/^https:\/\//i, '')}`)
    .slice(0, mostFrameSources);
}

function isOfFrames(source: PolicySource | undefined): boolean {
  return source !== undefined && source.scheme !== 'wss';
}

/** Printable ASCII, and no comma, which would begin another policy. */
function isOneLine(text: string): boolean {
  return /^[\x20-\x2b\x2d-\x7e]*$/.test(text);
}
