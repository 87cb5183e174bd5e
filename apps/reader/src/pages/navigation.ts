import type { Page, SiteSection, SiteSectionGroup, SiteSpace } from '@scriptorium/contracts';
import { classes, el, type Child, type HtmlNode, type Properties } from '../rich-text/html.js';
import { icon } from '../rich-text/icons.js';
import { emojiOf } from '@scriptorium/rich-text/reading';
import { link } from '../rich-text/inlines.js';
import type { Surroundings } from '../rich-text/render-context.js';
import { filled } from '../texts/texts.js';
import type { PageIndex } from '../visit/pages.js';
import type { SiteView } from '../visit/site-view.js';
import { flattened, languageOf } from '../visit/site-view.js';
import type { Frame } from './frame.js';
import { hasSolidIcons, ofContent, treeAt, within } from './links.js';
import { childrenOf, mostInTree, treeParts, visibleIn, type TreeParts } from './tree-parts.js';

const here = (is: boolean): Properties => (is ? { ariaCurrent: 'page' } : {});

/** The sections of a site, each group as a list that opens. */
export function sections(view: SiteView): HtmlNode | undefined {
  if (flattened(view.sections).length < 2) return undefined;
  const items = view.sections.map((item) => el('li', {}, sectionItem(view, item)));
  return el('nav', { ariaLabel: view.say.sections, ...classes('sections') }, el('ul', {}, items));
}

function sectionItem(view: SiteView, item: SiteSection | SiteSectionGroup): Child {
  if (item.object === 'site-section') {
    const first = item.siteSpaces.find((one) => one.default === true) ?? item.siteSpaces[0];
    const place = first && view.bases.get(first.space.id);
    if (place === undefined) return undefined;
    const isHere = here(item.id === view.section?.id);
    return el('a', { href: within(view, place.base), ...isHere }, ornament(view, item.icon), item.title);
  }
  const inside = item.children.map((child) => el('li', {}, sectionItem(view, child)));
  return el('details', classes('menu'), el('summary', {}, ornament(view, item.icon), item.title), el('ul', {}, inside));
}

/** The spaces beside the present one: each leads to the same page there, or to its beginning. */
export function variants({ view, same }: Pick<Frame, 'view' | 'same'>): HtmlNode | undefined {
  if (view.variants.length < 2) return undefined;
  const items = view.variants.map((variant) => variantItem(view, variant, same?.get(variant.space.id)));
  const summary = el('summary', {}, view.siteSpace?.title ?? view.say.choose);
  return el(
    'nav',
    { ariaLabel: view.say.variants },
    el('details', classes('menu', 'variants'), summary, el('ul', {}, items)),
  );
}

function variantItem(view: SiteView, variant: SiteSpace, page: Page | undefined): Child {
  const place = view.bases.get(variant.space.id);
  if (place === undefined) return undefined;
  const href = within(view, page === undefined || page.type === 'link' ? place.base : place.addressOf(page.path));
  const hrefLang = languageOf(variant);
  const isHere = here(variant.id === view.siteSpace?.id);
  return el('li', {}, el('a', { href, ...(hrefLang && { hrefLang }), ...isHere }, variant.title));
}

type Around = Pick<Surroundings, 'targetOf' | 'opensTabs'>;

/** The pages of a space around the present one: lists that are not sent are a link away. */
export function pageTree(view: SiteView, index: PageIndex, current: string | undefined, around: Around): HtmlNode {
  const page = current === undefined ? undefined : index.byId.get(current);
  return treeNav(view, around, { parts: treeParts(index, page), index, current });
}

/** A part of the pages of a space. */
export interface ShownTree {
  parts: TreeParts;
  index: PageIndex;
  current?: string | undefined;
  /** The id of the page whose list it begins with; empty for the space. */
  root?: string;
}

/** The pages of a navigation, with those open that contain the present one. */
export function treeNav(view: SiteView, around: Around, { parts, index, current, root = '' }: ShownTree): HtmlNode {
  const open = new Set([current, ...(index.parents.get(current ?? '') ?? []).map(({ id }) => id)]);
  const list = (id: string): HtmlNode | undefined => {
    const part = parts.get(id);
    if (part === undefined || part.pages.length === 0) return undefined;
    const { pages, before, behind } = part;
    const previous = { of: id, from: Math.max(0, before - mostInTree / 2), count: before };
    const next = { of: id, from: before + pages.length, count: behind };
    return el('ul', {}, morePages(view, previous), pages.map(item), morePages(view, next));
  };
  const inside = (page: Page): Child =>
    list(page.id) ?? (visibleIn(childrenOf(page)).length === 0 ? undefined : opener(view, page));
  const item = (page: Page): HtmlNode => {
    if (page.type === 'link') return el('li', {}, link(around, around.targetOf(page.target), titleOf(view, page)));
    const below = inside(page);
    if (page.type === 'group') return el('li', classes('group'), el('p', {}, titleOf(view, page)), below);
    const own =
      page.type === 'document'
        ? el('a', { href: within(view, view.addressOf(page.path)), ...here(page.id === current) }, titleOf(view, page))
        : el('span', {}, titleOf(view, page));
    if (below === undefined) return el('li', {}, own);
    if (!parts.has(page.id)) return el('li', classes('branch'), own, below);
    const summary = el('summary', { ariaLabel: filled(view.say.pagesIn, { title: page.title }) });
    return el('li', classes('branch'), own, el('details', { open: open.has(page.id) }, summary, below));
  };
  return el('nav', { ariaLabel: view.say.pages, ...classes('pages'), ...ofContent(view) }, list(root));
}

/** Leads to pages that are not sent; the script of the reader puts them in place. */
function opener(view: SiteView, { id, title }: Page): HtmlNode {
  return el('a', { href: treeAt(view, id), ...classes('opener'), ariaLabel: filled(view.say.pagesIn, { title }) });
}

function morePages(view: SiteView, { of, from, count }: { of: string; from: number; count: number }): Child {
  if (count === 0) return undefined;
  return el(
    'li',
    classes('more-pages'),
    el('a', { href: treeAt(view, of, from) }, filled(view.say.morePages, { count })),
  );
}

/** The title of a page with its emoji or icon. */
export function titleOf(
  view: SiteView,
  { title, emoji, icon: name }: Pick<Page, 'title' | 'emoji' | 'icon'>,
): HtmlNode[] {
  const sign = emoji === undefined ? '' : emojiOf(emoji);
  return [
    ...(sign === '' ? ornament(view, name) : [el('span', { ariaHidden: 'true', className: ['emoji'] }, `${sign} `)]),
    { type: 'text', value: title },
  ];
}

/** An icon beside a title. */
function ornament(view: SiteView, name: string | undefined): HtmlNode[] {
  return name === undefined ? [] : [icon(name, { isSolid: hasSolidIcons(view) }), { type: 'text', value: ' ' }];
}
