import { siteVisibilities, type Space } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { siteShowings } from './site-showing.projection.js';

/** The visibility of a space that a published site of its organization shows; `undefined` for others. */
export type SiteVisibility = (space: string, organization: string) => Space['visibility'] | undefined;

/**
 * The visibility of those of these spaces that a published site shows: that of the site which shows it to most. Sites of an
 * organization that a space was transferred from do not show it.
 */
export async function siteVisibilityOf(
  { store }: Pick<Scope, 'store'>,
  spaces: readonly string[],
): Promise<SiteVisibility> {
  const wanted = new Set(spaces);
  if (wanted.size === 0) return () => undefined;
  const sites = await store
    .read(siteShowings)
    .find({ published: true, 'siteSpaces.space': { $in: [...wanted] } })
    .toArray();
  // The widest visibility comes last, so that it stays.
  const byWidth = sites.toSorted((a, b) => widthOf(a.visibility) - widthOf(b.visibility));
  const shown = new Map(
    byWidth.flatMap(({ organization, visibility, siteSpaces }) =>
      siteSpaces
        .filter(({ space }) => wanted.has(space))
        .map(({ space }) => [`${organization}/${space}`, visibility] as const),
    ),
  );
  return (space, organization) => shown.get(`${organization}/${space}`);
}

function widthOf(visibility: (typeof siteVisibilities)[number]): number {
  return -siteVisibilities.indexOf(visibility);
}
