import { AppError, blaming } from '@scriptorium/contracts';
import { idIn, keys, type ContentTree, type Page, type PageRecord } from '../../versions/index.js';

/** A page in its place. */
export interface PlacedPage {
  page: Page;
  /** 0 for those at the top of the PDF. */
  depth: number;
}

/** Which pages of a content are shown. */
export interface Choice {
  page?: string | undefined;
  only: boolean;
  /** Whether pages are left out that the navigation leaves out. */
  isForVisitor: boolean;
}

/**
 * Pages in the order of the navigation. Entries that lead somewhere are none.
 * @throws AppError `not_found`, `invalid_request` for an entry that has no pages
 */
export async function chosenPages(tree: ContentTree, { page, only, isForVisitor }: Choice): Promise<PlacedPage[]> {
  const entries = await tree.range(keys.pages);
  const children = new Map<string | undefined, Page[]>();
  let root: Page | undefined;
  for (const [key, record] of entries) {
    const one = { ...(record as PageRecord), id: idIn(key) };
    if (one.id === page) root = one;
    const siblings = children.get(one.parent);
    if (siblings === undefined) children.set(one.parent, [one]);
    else siblings.push(one);
  }
  const below = (parent: string | undefined, depth: number): PlacedPage[] =>
    (children.get(parent) ?? [])
      .sort((a, b) => inOrder(a, b))
      .flatMap((one) =>
        one.type === 'link' || (isForVisitor && one.hidden === true)
          ? []
          : [{ page: one, depth }, ...below(one.id, depth + 1)],
      );
  if (page === undefined) return below(undefined, 0);
  if (root === undefined) throw new AppError('not_found');
  if (root.type === 'link' || (only && root.document === undefined))
    throw blaming('invalid_request', 'query.page', 'Has no document');
  return [{ page: root, depth: 0 }, ...(only ? [] : below(root.id, 1))];
}

function inOrder(a: Page, b: Page): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
