import { siteVisibilities, type Space } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { siteShowings } from './site-showing.projection.js';

/** The visibility of those of these spaces that a published site shows, by id: that of the site which shows it to most. */
export async function siteVisibilityOf(
  { store }: Pick<Scope, 'store'>,
  spaces: readonly string[],
): Promise<ReadonlyMap<string, Space['visibility']>> {
  const wanted = new Set(spaces);
  if (wanted.size === 0) return new Map();
  const sites = await store
    .read(siteShowings)
    .find({ published: true, 'siteSpaces.space': { $in: [...wanted] } })
    .toArray();
  // The widest visibility comes last, so that it stays.
  const byWidth = sites.toSorted((a, b) => widthOf(a.visibility) - widthOf(b.visibility));
  return new Map(
    byWidth.flatMap(({ visibility, siteSpaces }) =>
      siteSpaces.filter(({ space }) => wanted.has(space)).map(({ space }) => [space, visibility] as const),
    ),
  );
}

function widthOf(visibility: (typeof siteVisibilities)[number]): number {
  return -siteVisibilities.indexOf(visibility);
}
