import { locatePublishedPages } from '@scriptorium/contracts';
import { ask, type InternalCall } from '@scriptorium/platform';
import { siteRedirects } from '../redirects/index.js';
import { canonicalParts, type LocatedInSite, type SeenStructure } from './lookup/locate-in-site.js';

/** Where a redirect of a site leads: out of it, or to a path in it. */
export type Redirected = { url: string } | { parts: string[] };

interface Within {
  organization: string;
  site: string;
  seen: SeenStructure;
  reader: { type: 'human' | 'agent'; claims: Record<string, unknown>; spaces: string[] };
}

/** Where the path of a site leads for which there is a redirect; `undefined` without one, or when the visitor is not shown its page. */
export async function redirected(
  call: InternalCall,
  { organization, site, seen, reader }: Within,
  source: string,
): Promise<Redirected | undefined> {
  const found = await call.store.read(siteRedirects).findOne({ site, source });
  if (found === null) return undefined;
  const { destination } = found;
  if (destination.kind === 'url') return { url: destination.url };
  const { page } = destination;
  const candidates = seen.all.siteSpaces.filter(
    ({ space }) => destination.space === undefined || destination.space === space,
  );
  const places = candidates.map(({ space }) => ({ space, page }));
  const { paths } = await ask(call, locatePublishedPages, { organization, places, untilFound: true, reader });
  const index = paths.findIndex((path) => path !== null);
  const [siteSpace, path] = [candidates[index], paths[index]];
  if (siteSpace === undefined || path == null) return undefined;
  const section = seen.all.items.find((item) => item.kind === 'section' && item.id === siteSpace.section);
  const located = {
    section: section?.kind === 'section' ? section : undefined,
    siteSpace,
  } satisfies Partial<LocatedInSite>;
  return { parts: [...canonicalParts(seen, located), ...path.split('/')] };
}
