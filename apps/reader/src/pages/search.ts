import type { FoundPage, FoundSpace } from '@scriptorium/contracts';
import { classes, el, type Child, type HtmlNode } from '../rich-text/html.js';
import type { SiteView } from '../visit/site-view.js';
import { within } from './links.js';
import { searchForm } from './layout.js';

/** What a search found, space by space. */
export function searchResults(view: SiteView, query: string, found: readonly FoundSpace[]): Child[] {
  const count = found.reduce((sum, { pages, more = 0 }) => sum + pages.length + more, 0);
  const shown = found.flatMap((space) => spaceResults(view, space));
  const told =
    query === ''
      ? 'Type what you look for.'
      : count === 0
        ? 'Nothing was found.'
        : `${count} ${count === 1 ? 'page' : 'pages'}`;
  return [
    el(
      'main',
      { id: 'main' },
      el('h1', {}, query === '' ? 'Search' : `Search for “${query}”`),
      searchForm(view, query),
      el('p', { role: 'status' }, told),
      shown,
    ),
  ];
}

function spaceResults(view: SiteView, { id, title, pages, more }: FoundSpace): HtmlNode[] {
  const place = view.bases.get(id);
  if (place === undefined) return [];
  const items = pages.map((page) => el('li', {}, pageResult(view, place.addressOf(page.path), page)));
  const rest = more === undefined ? undefined : el('p', {}, `and ${more} more`);
  return [el('section', classes('results'), el('h2', {}, title), el('ol', {}, items), rest)];
}

function pageResult(view: SiteView, address: string, { title, ancestors, sections }: FoundPage): Child[] {
  const above = ancestors.map((one) => one.title).join(' › ');
  const parts = sections.slice(0, 3).map((section) => {
    const [, anchor = ''] = section.path.split('#');
    const name = section.title === title ? undefined : el('a', { href: within(view, address, anchor) }, section.title);
    return el('li', {}, name, name && section.body !== '' ? ': ' : undefined, section.body);
  });
  return [
    above === '' ? undefined : el('small', {}, above),
    el('a', { href: within(view, address), className: ['result'] }, title),
    parts.length === 0 ? undefined : el('ul', {}, parts),
  ];
}
