import type { ImportWarning } from '@scriptorium/contracts';
import { anchorFinder, anchors, links, type RichDocument } from '@scriptorium/rich-text';
import type { NamedAnchors, PageItem } from '../item.js';

/** Anchors of one document that are looked at. */
const most = 2_000;

export function namedAnchors(document: RichDocument): NamedAnchors {
  const named: NamedAnchors['named'] = [];
  let hasIncludes = false;
  for (const { ref } of links(document)) {
    const { kind, page = '', anchor, space } = ref as Record<string, unknown>;
    if (kind === 'reusable-content') hasIncludes = true;
    const isOwn = kind === 'anchor' && space === undefined;
    if (isOwn && typeof anchor === 'string' && typeof page === 'string') named.push([page, anchor]);
  }
  const own = anchors(document).slice(0, most);
  return { own, named: named.slice(0, most), ...(hasIncludes ? { hasIncludes } : {}) };
}

/** Links to anchors that are not in the pages that they lead to, each once. */
export function missingAnchors(pages: readonly PageItem[]): ImportWarning[] {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const finders = new Map<string, AnchorFinder>();
  return pages.flatMap(({ id, path = '', read }) => {
    const targets = new Set<string>();
    for (const [named, anchor] of read?.anchors?.named ?? []) {
      const page = byId.get(named === '' ? id : named);
      if (page === undefined) continue;
      const find = finders.get(page.id) ?? finderIn(page);
      finders.set(page.id, find);
      if (find(anchor)) continue;
      targets.add(`${page.id === id ? '' : (page.path ?? '')}#${anchor}`);
    }
    return [...targets].map((target) => ({ kind: 'anchor' as const, path, target }));
  });
}

type AnchorFinder = (anchor: string) => boolean;

/** Whether a page has an anchor, or nobody knows. */
function finderIn({ read }: PageItem): AnchorFinder {
  const { own, hasIncludes } = read?.anchors ?? {};
  if (own === undefined || hasIncludes === true || own.length === most) return () => true;
  // The heading that is the title of the page is no part of its document; links to it lead to the page.
  const find = anchorFinder([...own, read?.title ?? '']);
  return (anchor) => find(anchor) !== undefined;
}
