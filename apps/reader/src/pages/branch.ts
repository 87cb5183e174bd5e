import type { Page } from '@scriptorium/contracts';
import { el } from '../rich-text/html.js';
import type { Surroundings } from '../rich-text/render-context.js';
import type { PageIndex } from '../visit/pages.js';
import type { SiteView } from '../visit/site-view.js';
import { breadcrumbs } from './breadcrumbs.js';
import type { Parts } from './layout.js';
import { treeNav } from './navigation.js';
import { childrenOf, partFrom } from './tree-parts.js';

/** A part of the navigation: the pages in one, or those of the space when it is in none, from one of them on. */
export interface Branch {
  within: Page | undefined;
  from: number;
}

/** A page that shows a part of the navigation which other pages only lead to. */
export function branchPage(
  view: SiteView,
  index: PageIndex,
  { within: page, from }: Branch,
  around: Surroundings,
): Parts {
  const root = page?.id ?? '';
  const parts = partFrom(root, page === undefined ? index.pages : childrenOf(page), from);
  const main = [
    el(
      'main',
      { id: 'main' },
      page && breadcrumbs(view, index, page),
      el('h1', {}, page?.title ?? view.siteSpace?.title ?? view.title),
      treeNav(view, around, { parts, index, root }),
    ),
  ];
  return { main };
}
