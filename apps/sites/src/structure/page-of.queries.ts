import type { CursorBinding, Cursors, Page, PageRequest } from '@scriptorium/platform';
import { pageBy } from '@scriptorium/platform';

/**
 * One page of what stands on a site, in its order. It goes on behind the last one of the page before, wherever that
 * stands now.
 */
export function pageOf<T extends { id: string }>(
  cursors: Cursors,
  all: readonly T[],
  { operation, site, request }: { operation: string; site: string; request: PageRequest },
): Promise<Page<T>> {
  const binding: CursorBinding = { operation, scope: { site }, sort: 'position', order: 'asc' };
  return pageBy<T>(cursors, {
    binding,
    request,
    fetch: (limit, after) => {
      const start = after === undefined ? 0 : behind(all, after);
      return all.slice(start, start + limit);
    },
    count: () => all.length,
    isCounted: true,
    keysOf: ({ id }) => [String(all.findIndex((one) => one.id === id)), id],
  });
}

/** The place of a removed item belongs to the item after it. */
function behind(all: readonly { id: string }[], [place, id]: readonly [unknown, string, ...unknown[]]): number {
  const index = all.findIndex((one) => one.id === id);
  return index === -1 ? Number(place) : index + 1;
}
