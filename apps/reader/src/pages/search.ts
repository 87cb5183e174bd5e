import type { FoundPage, FoundSpace } from '@scriptorium/contracts';
import { classes, el, type Child, type HtmlNode } from '../rich-text/html.js';
import { filled } from '../texts/texts.js';
import type { SiteView } from '../visit/site-view.js';
import { searchForm } from './header.js';
import type { Parts } from './layout.js';
import { within } from './links.js';
import { markedText, wordsOf } from './marks.js';

/** What a search found, space by space: the present one and the first variants first, others closed. */
export function searchResults(view: SiteView, query: string, found: readonly FoundSpace[]): Parts {
  const { say } = view;
  const words = wordsOf(query);
  const spaces = found.filter(({ id }) => view.bases.has(id));
  const [first, behind] = [0, 1].map((place) => spaces.filter((space) => placeOf(view, space) === place));
  const shown = [...(first ?? [])].sort((a, b) => Number(isHere(view, b)) - Number(isHere(view, a)));
  const results = [
    el('p', { role: 'status' }, told(view, query, countIn(spaces))),
    shown.map((space) => spaceResults(view, words, space)),
    behind === undefined || behind.length === 0
      ? undefined
      : el(
          'details',
          { open: shown.length === 0, ...classes('elsewhere') },
          el('summary', {}, filled(say.elsewhere, { count: countIn(behind) })),
          behind.map((space) => spaceResults(view, words, space)),
        ),
  ];
  const title = query === '' ? say.search : filled(say.searchFor, { query });
  return {
    main: [
      el(
        'main',
        { id: 'main', ...classes('searching') },
        el('h1', {}, title),
        searchForm(view, query),
        el('div', { id: 'results' }, results),
      ),
    ],
  };
}

function isHere({ siteSpace }: SiteView, { id }: FoundSpace): boolean {
  return siteSpace?.space.id === id;
}

/** Variants besides the one that is shown first stand behind. */
function placeOf(view: SiteView, space: FoundSpace): number {
  return isHere(view, space) || view.bases.get(space.id)?.isDefault === true ? 0 : 1;
}

function countIn(spaces: readonly FoundSpace[]): number {
  return spaces.reduce((sum, { pages, more = 0 }) => sum + pages.length + more, 0);
}

function told({ say }: SiteView, query: string, count: number): string {
  if (query === '') return say.typeWords;
  return count === 0 ? say.nothingFound : filled(count === 1 ? say.onePage : say.manyPages, { count });
}

function spaceResults(view: SiteView, words: readonly string[], { id, title, pages, more }: FoundSpace): Child {
  const place = view.bases.get(id);
  if (place === undefined) return undefined;
  const items = pages.map((page) =>
    el('li', {}, pageResult(view, { words, address: place.addressOf(page.path) }, page)),
  );
  const rest = more === undefined ? undefined : el('p', {}, filled(view.say.andMore, { count: more }));
  return el('section', classes('results'), el('h2', {}, place.title || title), el('ol', {}, items), rest);
}

function pageResult(
  view: SiteView,
  { words, address }: { words: readonly string[]; address: string },
  { title, ancestors, sections }: FoundPage,
): HtmlNode[] {
  const above = ancestors.map((one) => one.title).join(' › ');
  const parts = sections.slice(0, 3).map((section) => {
    const [, anchor = ''] = section.path.split('#');
    const href = within(view, address, anchor);
    const name = section.title === title ? undefined : el('a', { href }, markedText(section.title, words));
    return el('li', {}, name, name && section.body !== '' ? ': ' : undefined, markedText(section.body, words));
  });
  return [
    ...(above === '' ? [] : [el('small', {}, above)]),
    el('a', { href: within(view, address), className: ['result'] }, markedText(title, words)),
    ...(parts.length === 0 ? [] : [el('ul', {}, parts)]),
  ];
}
