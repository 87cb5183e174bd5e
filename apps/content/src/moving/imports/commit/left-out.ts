import type { PageItem } from '../item.js';

/** The places of the pages that are not taken over: those that were left out, and everything in them. Parents stand before their children. */
export function leftOut(pages: readonly Pick<PageItem, 'n' | 'parent' | 'read'>[]): ReadonlySet<number> {
  const out = new Set<number>();
  for (const { n, parent, read } of pages)
    if (read?.isLeftOut === true || (parent !== undefined && out.has(parent))) out.add(n);
  return out;
}
