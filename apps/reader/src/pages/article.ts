import type { Heading, RichDocument } from '@scriptorium/rich-text';
import { renderDocument } from '../rich-text/document.js';
import { classes, el, type Child, type HtmlNode } from '../rich-text/html.js';
import { picture } from '../rich-text/pictures.js';
import type { Surroundings } from '../rich-text/render-context.js';
import { dateText } from '../rich-text/containers.js';
import { neighbours, type DocumentPage, type PageIndex } from '../visit/pages.js';
import type { SiteView } from '../visit/site-view.js';
import { breadcrumbs } from './breadcrumbs.js';
import { within } from './links.js';
import { pageTree, titleOf, variants } from './navigation.js';

/** A page that is shown, with the space around it. */
export interface Shown {
  view: SiteView;
  index: PageIndex;
  page: DocumentPage;
  around: Surroundings;
  /** The visitor has just rated the page. */
  isRated: boolean;
}

/** The parts of a page: the navigation of its space, its text, and what is on it. */
export function article(shown: Shown): Child[] {
  const { view, index, page, around } = shown;
  const { layout } = page;
  const body = renderDocument((page.document as RichDocument | undefined) ?? nothing, around);
  const tree = layout.tableOfContents ? pageTree(view, index, page.id, around) : undefined;
  const beside = [variants(view), tree];
  return [
    beside.every((part) => part === undefined) ? undefined : el('div', { id: 'pages', ...classes('beside') }, beside),
    el(
      'main',
      { id: 'main', ...classes(layout.width === 'wide' && 'wide') },
      layout.cover ? cover(shown) : undefined,
      breadcrumbs(view, index, page),
      layout.title ? el('h1', {}, titleOf(page)) : undefined,
      layout.description && page.description ? el('p', classes('lead'), page.description) : undefined,
      actions(shown),
      narrowOutline(layout.outline ? body.headings : []),
      el('div', classes('text'), body.nodes),
      feedback(shown),
      layout.pagination && view.look.pagination.enabled ? pagination(shown) : undefined,
      layout.metadata ? metadata(shown) : undefined,
    ),
    layout.outline ? outline(body.headings) : undefined,
  ];
}

const nothing: RichDocument = { object: 'document', data: {}, nodes: [] };

function cover({ page, around }: Shown): HtmlNode | undefined {
  if (page.cover === undefined) return undefined;
  const { ref, refDark } = page.cover;
  return picture(around, { ref, ...(refDark && { refDark }), alt: '' }, ['page-cover']);
}

/** Headings of an outline, at most. */
const mostHeadings = 200;

function headingList(headings: readonly Heading[]): HtmlNode {
  const items = headings
    .slice(0, mostHeadings)
    .map(({ id, title, level }) => el('li', classes(`level-${level}`), el('a', { href: `#${id}` }, title)));
  return el('ul', {}, items);
}

function outline(headings: readonly Heading[]): HtmlNode | undefined {
  if (headings.length < 2) return undefined;
  return el(
    'nav',
    { ariaLabel: 'On this page', ...classes('outline') },
    el('p', {}, 'On this page'),
    headingList(headings),
  );
}

/** The outline where there is no place beside the text. */
function narrowOutline(headings: readonly Heading[]): HtmlNode | undefined {
  if (headings.length < 2) return undefined;
  return el('details', classes('narrow-outline'), el('summary', {}, 'On this page'), headingList(headings));
}

/** What else can be done with the page. */
function actions({ view, page }: Shown): HtmlNode | undefined {
  if (!view.look.pageActions.markdown || page.path === '') return undefined;
  return el(
    'p',
    classes('actions'),
    el('a', { href: within(view, `${view.addressOf(page.path)}.md`) }, 'View as Markdown'),
  );
}

const ratings = { good: 'Yes', ok: 'Partly', bad: 'No' } as const;

/** Whether the page has helped: a form, which needs no script. */
function feedback({ view, page, isRated }: Shown): HtmlNode | undefined {
  if (!view.look.feedback.enabled) return undefined;
  if (isRated) return el('p', { role: 'status', ...classes('feedback') }, 'Thank you for telling.');
  const buttons = Object.entries(ratings).map(([value, name]) =>
    el('button', { type: 'submit', name: 'rating', value }, name),
  );
  return el(
    'form',
    { method: 'post', action: within(view, view.addressOf(page.path)), ariaLabel: 'Feedback', ...classes('feedback') },
    el('p', {}, 'Was this page helpful?'),
    buttons,
  );
}

function pagination({ view, index, page }: Shown): HtmlNode | undefined {
  const { before, behind } = neighbours(index, page);
  if (before === undefined && behind === undefined) return undefined;
  const leads = (to: DocumentPage | undefined, rel: string, label: string): HtmlNode | undefined =>
    to &&
    el('a', { href: within(view, view.addressOf(to.path)), rel: [rel] }, el('small', {}, label), ' ', titleOf(to));
  return el(
    'nav',
    { ariaLabel: 'Neighbouring pages', ...classes('pager') },
    leads(before, 'prev', 'Previous'),
    leads(behind, 'next', 'Next'),
  );
}

function metadata({ view, page }: Shown): HtmlNode | undefined {
  const { locale } = view.look.internationalization;
  const date = page.updatedAt === undefined ? undefined : dateText(page.updatedAt, 'full', locale);
  if (date === undefined) return undefined;
  return el('p', classes('changed'), 'Last changed on ', el('time', { dateTime: page.updatedAt }, date));
}
