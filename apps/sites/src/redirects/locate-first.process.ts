import { locatePublishedPages, type Visitor } from '@scriptorium/contracts';
import { ask, type Asking } from '@scriptorium/platform';

/** A page, the spaces in which it may be, and the visitor who has to be shown it; without one, all pages count. */
interface Wanted {
  organization: string;
  spaces: readonly string[];
  page: string;
  reader?: (Pick<Visitor, 'type' | 'claims'> & { spaces: string[] }) | undefined;
}

/** The first of some spaces that has a page, by its place among them, and the path of the page in it. */
export async function locateFirst(
  call: Asking,
  { organization, spaces, page, reader }: Wanted,
): Promise<{ index: number; path: string } | undefined> {
  const places = spaces.map((space) => ({ space, page }));
  const { paths } = await ask(call, locatePublishedPages, {
    organization,
    places,
    untilFound: true,
    ...(reader && { reader }),
  });
  const index = paths.findIndex((path) => path !== null);
  const path = paths[index];
  return path == null ? undefined : { index, path };
}
