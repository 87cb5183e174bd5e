import { sourceOf, type PublishedContent, type PublishedContentSite } from '@scriptorium/contracts';
import { createHash } from 'node:crypto';

type Given = PublishedContentSite['scripts'][number];

/** What a visitor has said about scripts that set cookies. `scripts`: the ids of those that they accept. */
export type Consent = { says: 'accepted'; scripts: readonly string[] } | { says: 'declined' };

/** A script that an integration puts on the pages of a site. */
export interface PageScript {
  /** Names it in what visitors accept: it stays the same when its version or its configuration changes. */
  id: string;
  src: string;
  setsCookies: boolean;
  /** What it may load and connect to: sources by directive of a content security policy. */
  sources: Sources;
}

/** The directives that a script may widen. */
const widened = ['script-src', 'connect-src', 'style-src', 'img-src', 'font-src', 'frame-src', 'media-src'] as const;
export type Sources = Readonly<Partial<Record<(typeof widened)[number], readonly string[]>>>;

/**
 * The scripts of a site, if its address has a host of its own. Where several sites share one, the script of one could
 * read what visitors see on the others. Pure.
 */
export function scriptsAt(given: readonly Given[], { siteBasePath }: PublishedContent): PageScript[] {
  if (siteBasePath !== '/') return [];
  return given.map(({ script, contentSecurityPolicy = '', cookies = false }) => ({
    id: idOf(script),
    src: script,
    setsCookies: cookies,
    sources: sourcesIn(contentSecurityPolicy),
  }));
}

const idCharacters = 8;
const idForm = /^[\w-]{8}$/;

/** The address of a script ends with what names its version. */
function idOf(script: string): string {
  const named = script.replace(/(\/script\/[^/]+\/[^/]+\/)[^/]+$/, '$1');
  return createHash('sha256').update(named).digest('base64url').slice(0, idCharacters);
}

/** The scripts that a page has, after what the visitor has said. Pure. */
export function shownScripts(scripts: readonly PageScript[], consent: Consent | undefined): PageScript[] {
  return scripts.filter((script) => !script.setsCookies || isAccepted(script, consent));
}

function isAccepted({ id }: PageScript, consent: Consent | undefined): boolean {
  return consent?.says === 'accepted' && consent.scripts.includes(id);
}

/**
 * The scripts of which a visitor is asked whether they may set cookies: all of them, until they have said so, and once
 * there is one more than they have accepted. Pure.
 */
export function askedScripts(scripts: readonly PageScript[], consent: Consent | undefined): PageScript[] {
  const withCookies = scripts.filter(({ setsCookies }) => setsCookies);
  if (consent?.says === 'declined' || withCookies.every((script) => isAccepted(script, consent))) return [];
  return withCookies;
}

/** What a visitor has said, in the form of a cookie. Pure. */
export function consentText(consent: Consent): string {
  return consent.says === 'declined' ? 'declined' : ['accepted', ...consent.scripts].join('.');
}

/** Reads that form. Pure. */
export function consentFrom(text: string | undefined): Consent | undefined {
  if (text === 'declined') return { says: 'declined' };
  const [says, ...scripts] = (text ?? '').split('.');
  return says === 'accepted' ? { says, scripts: scripts.filter((id) => idForm.test(id)) } : undefined;
}

/** What the policy of a page has to allow for these scripts. Pure. */
export function sourcesOf(scripts: readonly PageScript[]): Sources {
  const all = widened.map((name) => {
    const sources = scripts.flatMap((script) => script.sources[name] ?? []);
    const origins = name === 'script-src' ? scripts.map(({ src }) => new URL(src).origin) : [];
    return [name, [...new Set([...origins, ...sources])]] as const;
  });
  return Object.fromEntries(all.filter(([, sources]) => sources.length > 0));
}

const schemes = /^(?:https|wss|blob|data):$/i;

/**
 * The sources of a policy that a page may allow: hosts and schemes. `*` is any host by https. Words such as
 * `'unsafe-inline'` would allow what no integration has written; styles alone may be written by scripts.
 */
function sourcesIn(policy: string): Sources {
  const found: Partial<Record<(typeof widened)[number], readonly string[]>> = {};
  for (const directive of policy.split(';')) {
    const [given = '', ...sources] = directive.trim().split(/\s+/);
    const name = widened.find((one) => one === given.toLowerCase());
    if (name === undefined || found[name] !== undefined) continue;
    found[name] = sources.map((one) => (one === '*' ? 'https:' : one)).filter((one) => isAllowed(name, one));
  }
  return found;
}

function isAllowed(name: (typeof widened)[number], source: string): boolean {
  if (source === "'unsafe-inline'") return name === 'style-src';
  if (schemes.test(source)) return name !== 'script-src' || source.toLowerCase() === 'https:';
  return sourceOf(source) !== undefined;
}
