import type { Target } from '../installations/index.js';

/** What a public address is of. */
export type EndpointPath =
  /** The integration as such, or what its blocks show. */
  | { kind: 'integration' | 'content'; name: string }
  | { kind: 'installation'; name: string; installation: string; target: Target | null }
  /** Where an installation signs in the visitors of a site. */
  | { kind: 'visitor-login'; name: string; installation: string; site: string }
  /** A script of an installation for the pages of a site. */
  | { kind: 'script'; name: string; installation: string; site: string; version: string }
  /** A one-time address. */
  | { kind: 'callback'; name: string; token: string };

const base = /^\/v1\/integrations\/([A-Za-z0-9._-]{1,100})\/([^?]*)/;
const id = /^[A-Za-z0-9_-]{1,128}$/;

/** Reads the path of a public address; `undefined` for any other one. What follows is for the script. Pure. */
export function endpointPath(url: string): EndpointPath | undefined {
  const [, name, rest] = base.exec(url) ?? [];
  if (name === undefined || rest === undefined) return undefined;
  const [kind = '', ...parts] = rest.split('/');
  if (kind === 'integration' || kind === 'content') return { kind, name };
  return namedBy(name, kind, parts);
}

function namedBy(name: string, kind: string, parts: readonly string[]): EndpointPath | undefined {
  const [first = '', second = '', third = ''] = parts;
  if (!id.test(first)) return undefined;
  switch (kind) {
    case 'callbacks':
      return { kind: 'callback', name, token: first };
    case 'installations':
      return ofInstallation(name, first, [second, third]);
    case 'visitor-login':
      return id.test(second) && third === '' ? { kind, name, installation: first, site: second } : undefined;
    case 'script':
      return scriptOf(name, first, [second, ...parts.slice(2)]);
    default:
      return undefined;
  }
}

function ofInstallation(
  name: string,
  installation: string,
  [part, place]: readonly [string, string],
): EndpointPath | undefined {
  const kind = part === 'spaces' ? 'space' : part === 'sites' ? 'site' : undefined;
  if (kind === undefined) return { kind: 'installation', name, installation, target: null };
  return id.test(place) ? { kind: 'installation', name, installation, target: { kind, id: place } } : undefined;
}

function scriptOf(
  name: string,
  installation: string,
  [site = '', file = '', ...more]: string[],
): EndpointPath | undefined {
  const [, version] = /^([\w-]{1,64})\.js$/.exec(file) ?? [];
  if (version === undefined || !id.test(site) || more.length > 0) return undefined;
  return { kind: 'script', name, installation, site, version };
}
