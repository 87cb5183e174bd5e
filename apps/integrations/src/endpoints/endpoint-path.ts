import type { Target } from '../installations/index.js';

/** What a public address is of. */
export type EndpointPath =
  /** The integration as such, or what its blocks show. */
  | { kind: 'integration' | 'content'; name: string }
  | { kind: 'installation'; name: string; installation: string; target: Target | null }
  /** A one-time address. */
  | { kind: 'callback'; name: string; token: string };

const base = /^\/v1\/integrations\/([A-Za-z0-9._-]{1,100})\/([^?]*)/;
const id = /^[A-Za-z0-9_-]{1,128}$/;

/** Reads the path of a public address; `undefined` for any other one. What follows is for the script. Pure. */
export function endpointPath(url: string): EndpointPath | undefined {
  const [, name, rest] = base.exec(url) ?? [];
  if (name === undefined || rest === undefined) return undefined;
  const [kind = '', first = '', second = '', third = ''] = rest.split('/');
  if (kind === 'integration' || kind === 'content') return { kind, name };
  if (!id.test(first)) return undefined;
  if (kind === 'callbacks') return { kind: 'callback', name, token: first };
  return kind === 'installations' ? ofInstallation(name, first, [second, third]) : undefined;
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
