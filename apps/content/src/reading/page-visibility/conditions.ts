import type { ContentReference } from '@scriptorium/contracts';
import { holds } from '../analysis/index.js';
import { deepest } from '../../versions/index.js';
import { seenBy, type Reader, type Variables } from './reader.js';

/** A page as far as it decides who sees it. */
export interface JudgedPage {
  id: string;
  parent?: string | undefined;
  condition?: string | undefined;
  /** Of a page with a condition. */
  variables?: Variables | undefined;
  /** Where an entry of the navigation leads. */
  target?: ContentReference | undefined;
}

/** Everything in a revision that decides which pages are shown. */
export interface RevisionConditions {
  pages: readonly JudgedPage[];
  /** The conditions, each once. */
  sources: readonly string[];
  /** The variables of the space. */
  space: Variables;
  /** Entries of the navigation that lead to other spaces or collections. */
  leadingOut: readonly { id: string; target: ContentReference }[];
}

/**
 * The pages that a visitor is not shown: those whose condition does not hold, everything in them, and entries of the
 * navigation that lead to one of these. Pure.
 */
export function hiddenPages({ pages, space }: RevisionConditions, reader: Reader): Set<string> {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const judged = new Map<string, boolean>();
  const isShown = (id: string, depth: number): boolean => {
    const known = judged.get(id);
    if (known !== undefined) return known;
    const page = byId.get(id);
    if (page === undefined || depth > deepest) return false;
    const { condition, parent, variables } = page;
    const own = condition === undefined || holds(condition, seenBy(reader, space, variables));
    const shown = own && (parent === undefined || isShown(parent, depth + 1));
    judged.set(id, shown);
    return shown;
  };
  const hidden = new Set(pages.filter(({ id }) => !isShown(id, 0)).map(({ id }) => id));
  const entries = pages.filter(({ target }) => pageIn(target) !== undefined);
  // Entries can lead to entries.
  for (let before = -1; before < hidden.size;) {
    before = hidden.size;
    for (const { id, target } of entries) if (hidden.has(pageIn(target) ?? '')) hidden.add(id);
  }
  return hidden;
}

/** The page of the same space that an entry of the navigation leads to. */
function pageIn(target: ContentReference | undefined): string | undefined {
  if (target?.kind !== 'page' && target?.kind !== 'anchor') return undefined;
  return target.space === undefined ? target.page : undefined;
}
