import type { Page, SiteSection, SiteSectionGroup } from '@scriptorium/contracts';
import { classes, el, type Child, type HtmlNode, type Properties } from '../rich-text/html.js';
import { icon } from '../rich-text/icons.js';
import { emojiOf, link } from '../rich-text/inlines.js';
import type { Surroundings } from '../rich-text/render-context.js';
import type { PageIndex } from '../visit/pages.js';
import type { SiteView } from '../visit/site-view.js';
import { flattened } from '../visit/site-view.js';
import { within } from './links.js';

const here = (is: boolean): Properties => (is ? { ariaCurrent: 'page' } : {});

/** The sections of a site, each group as a list that opens. */
export function sections(view: SiteView): HtmlNode | undefined {
  if (flattened(view.sections).length < 2) return undefined;
  const items = view.sections.map((item) => el('li', {}, sectionItem(view, item)));
  return el('nav', { ariaLabel: 'Sections', ...classes('sections') }, el('ul', {}, items));
}

function sectionItem(view: SiteView, item: SiteSection | SiteSectionGroup): Child {
  if (item.object === 'site-section') {
    const first = item.siteSpaces.find((one) => one.default === true) ?? item.siteSpaces[0];
    const place = first && view.bases.get(first.space.id);
    if (place === undefined) return undefined;
    const isHere = here(item.id === view.section?.id);
    return el('a', { href: within(view, place.base), ...isHere }, ornament(item.icon), item.title);
  }
  const inside = item.children.map((child) => el('li', {}, sectionItem(view, child)));
  return el('details', classes('menu'), el('summary', {}, ornament(item.icon), item.title), el('ul', {}, inside));
}

/** The spaces beside the present one. */
export function variants(view: SiteView): HtmlNode | undefined {
  if (view.variants.length < 2) return undefined;
  const items = view.variants.map(({ id, title, space }) => {
    const place = view.bases.get(space.id);
    return (
      place && el('li', {}, el('a', { href: within(view, place.base), ...here(id === view.siteSpace?.id) }, title))
    );
  });
  const summary = el('summary', {}, view.siteSpace?.title ?? 'Choose');
  return el('nav', { ariaLabel: 'Variants' }, el('details', classes('menu', 'variants'), summary, el('ul', {}, items)));
}

/** Pages of one list of the navigation, at most. */
const mostItems = 2_000;

/** The pages of a space, with those open that contain the present one. */
export function pageTree(
  view: SiteView,
  index: PageIndex,
  current: string | undefined,
  around: Pick<Surroundings, 'targetOf' | 'opensTabs'>,
): HtmlNode {
  const open = new Set([current, ...(index.parents.get(current ?? '') ?? []).map(({ id }) => id)]);
  const list = (pages: readonly Page[]): HtmlNode | undefined => {
    const items = pages
      .filter(({ hidden }) => !hidden)
      .slice(0, mostItems)
      .map(item);
    return items.length === 0 ? undefined : el('ul', {}, items);
  };
  const item = (page: Page): HtmlNode => {
    if (page.type === 'link') return el('li', {}, link(around, around.targetOf(page.target), titleOf(page)));
    if (page.type === 'group') return el('li', classes('group'), el('p', {}, titleOf(page)), list(page.pages));
    const own =
      page.type === 'document'
        ? el('a', { href: within(view, view.addressOf(page.path)), ...here(page.id === current) }, titleOf(page))
        : el('span', {}, titleOf(page));
    const inside = list(page.pages);
    if (inside === undefined) return el('li', {}, own);
    const isOpen = open.has(page.id);
    const opener = el('summary', { ariaLabel: `Pages in ${page.title}` });
    return el('li', classes('branch'), own, el('details', { open: isOpen }, opener, inside));
  };
  return el('nav', { ariaLabel: 'Pages', ...classes('pages') }, list(index.pages));
}

/** The title of a page with its emoji or icon. */
export function titleOf({ title, emoji, icon: name }: Pick<Page, 'title' | 'emoji' | 'icon'>): HtmlNode[] {
  const sign = emoji === undefined ? '' : emojiOf(emoji);
  return [
    ...(sign === '' ? ornament(name) : [el('span', { ariaHidden: 'true', className: ['emoji'] }, `${sign} `)]),
    { type: 'text', value: title },
  ];
}

/** An icon beside a title. */
function ornament(name: string | undefined): HtmlNode[] {
  return name === undefined ? [] : [icon(name), { type: 'text', value: ' ' }];
}
