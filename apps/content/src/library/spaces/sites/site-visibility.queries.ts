import { siteVisibilities, type Space } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { siteShowings } from './site-showing.projection.js';

/** A space that published sites of its organization show. */
export interface ShownOnSites {
  /** That of the site which shows it to most. */
  visibility: Space['visibility'];
  /** Whether anybody who reads one of these sites sees it: then its files have public addresses. */
  isOpen: boolean;
  /** The sites with the number of their changes: where the space is published follows from these. */
  sites: readonly (readonly [id: string, changes: number])[];
}

/** How published sites of an organization show one of its spaces; `undefined` for others. */
export type OnSites = (space: string, organization: string) => ShownOnSites | undefined;

/**
 * How published sites show these spaces. Sites of an organization that a space was transferred from do not show it.
 */
export async function onSitesOf({ store }: Pick<Scope, 'store'>, spaces: readonly string[]): Promise<OnSites> {
  const wanted = new Set(spaces);
  if (wanted.size === 0) return () => undefined;
  const found = await store
    .read(siteShowings)
    .find({ published: true, 'siteSpaces.space': { $in: [...wanted] } })
    .toArray();
  const shown = new Map<string, ShownOnSites>();
  // The widest visibility comes last, so that it stays.
  for (const { _id, organization, visibility, siteSpaces, conditional, changes } of found.toSorted(
    (a, b) => widthOf(a.visibility) - widthOf(b.visibility),
  ))
    for (const { space, section, isConditional } of siteSpaces) {
      if (!wanted.has(space)) continue;
      const name = `${organization}/${space}`;
      const before = shown.get(name);
      const isShownToAll = !isConditional && (section === null || !conditional.includes(section));
      const isOpen = before?.isOpen === true || (forEverybody.has(visibility) && isShownToAll);
      shown.set(name, { visibility, isOpen, sites: [...(before?.sites ?? []), [_id, changes]] });
    }
  return (space, organization) => shown.get(`${organization}/${space}`);
}

/** Sites with these visibilities ask for nothing. */
const forEverybody: ReadonlySet<string> = new Set<(typeof siteVisibilities)[number]>(['public', 'unlisted']);

function widthOf(visibility: (typeof siteVisibilities)[number]): number {
  return -siteVisibilities.indexOf(visibility);
}
