import type { Page } from '@scriptorium/contracts';
import { classes, el, type HtmlNode } from '../rich-text/html.js';
import { firstIn, type PageIndex } from '../visit/pages.js';
import type { SiteView } from '../visit/site-view.js';
import { within } from './links.js';

/** The pages that contain one, from the top down. */
export function breadcrumbs(view: SiteView, index: PageIndex, { id }: Page): HtmlNode | undefined {
  const parents = index.parents.get(id) ?? [];
  if (parents.length === 0) return undefined;
  const items = parents.map((parent) => {
    const to = parent.type === 'document' ? parent : firstIn(parent);
    const href = to && within(view, view.addressOf(to.path));
    return el('li', {}, href === undefined ? parent.title : el('a', { href }, parent.title));
  });
  return el('nav', { ariaLabel: view.say.abovePage, ...classes('crumbs') }, el('ol', {}, items));
}
