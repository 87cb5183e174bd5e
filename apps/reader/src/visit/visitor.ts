/** Somebody who asks for an address of a site. */
export interface Visitor {
  /** The address as the API knows it. */
  address: URL;
  /** The token of the visitor that a cookie has. */
  token: string | undefined;
  /** The address of the visitor's machine. */
  from: string;
  signal: AbortSignal;
}

/**
 * Parameters of an address that say what a visitor is shown; links within the site have them, too. Nothing is cut off:
 * whoever is let in by them must not share what is kept with anybody else.
 */
export function carriedQuery({ searchParams }: URL): string {
  const carried = new URLSearchParams();
  for (const [name, value] of searchParams) {
    if (name === 'preview' || name.startsWith('visitor.')) carried.append(name, value);
  }
  return carried.toString();
}

/** What the end of a path asks for besides pages. */
export const specials = [
  '~search',
  '~tree',
  '~feed',
  '~pdf',
  '~mcp',
  'llms.txt',
  'llms-full.txt',
  'sitemap.xml',
  'robots.txt',
] as const;
export type Special = (typeof specials)[number];

/** The special end of a path, and the path without it. */
export function specialIn(path: string): { path: string; special: Special | undefined } {
  const special = specials.find((name) => path.endsWith(`/${name}`));
  return { path: special === undefined ? path : path.slice(0, -special.length), special };
}

/**
 * How many characters of the address of a visitor are left out of the place to which they come back once they are
 * signed in: integrations get the path on the site alone. `undefined`: they are not sent to sign in. Pure.
 */
export function leftOut(told: string, wanted: string | null): number | undefined {
  if (wanted === null) return undefined;
  return told === wanted || told.endsWith(`/${wanted}`) ? told.length - wanted.length : undefined;
}
