import type { Heading, RichDocument } from '@scriptorium/rich-text';
import { renderDocument } from '../rich-text/document.js';
import { classes, el, type HtmlNode } from '../rich-text/html.js';
import { picture } from '../rich-text/pictures.js';
import type { Surroundings } from '../rich-text/render-context.js';
import { dateText } from '../rich-text/containers.js';
import { neighbours, type DocumentPage, type PageIndex } from '../visit/pages.js';
import type { SiteView } from '../visit/site-view.js';
import { breadcrumbs } from './breadcrumbs.js';
import { ofContent, pdfAt, within } from './links.js';
import type { Parts } from './layout.js';
import { pageTree, titleOf } from './navigation.js';

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
export function article(shown: Shown): Parts {
  const { view, index, page, around } = shown;
  const { layout } = page;
  const body = renderDocument((page.document as RichDocument | undefined) ?? nothing, around);
  const main = [
    el(
      'main',
      { id: 'main', ...classes(layout.width === 'wide' && 'wide') },
      layout.cover ? cover(shown) : undefined,
      breadcrumbs(view, index, page),
      layout.title ? el('h1', ofContent(view), titleOf(view, page)) : undefined,
      layout.description && page.description
        ? el('p', { ...classes('lead'), ...ofContent(view) }, page.description)
        : undefined,
      actions(shown),
      narrowOutline(view, layout.outline ? body.headings : []),
      el('div', { ...classes('text'), ...ofContent(view) }, body.nodes),
      feedback(shown),
      layout.pagination && view.look.pagination.enabled ? pagination(shown) : undefined,
      layout.metadata ? metadata(shown) : undefined,
    ),
    layout.outline ? outline(view, body.headings) : undefined,
  ];
  return {
    tree: layout.tableOfContents ? pageTree(view, index, page.id, around) : undefined,
    main,
    frames: body.frames,
  };
}

const nothing: RichDocument = { object: 'document', data: {}, nodes: [] };

function cover({ page, around }: Shown): HtmlNode | undefined {
  if (page.cover === undefined) return undefined;
  const { ref, refDark } = page.cover;
  return picture(around, { ref, ...(refDark && { refDark }), alt: '' }, ['page-cover']);
}

/** Headings of an outline, at most. */
const mostHeadings = 200;

function headingList(view: SiteView, headings: readonly Heading[]): HtmlNode {
  const items = headings
    .slice(0, mostHeadings)
    .map(({ id, title, level }) => el('li', classes(`level-${level}`), el('a', { href: `#${id}` }, title)));
  return el('ul', ofContent(view), items);
}

function outline(view: SiteView, headings: readonly Heading[]): HtmlNode | undefined {
  if (headings.length < 2) return undefined;
  return el(
    'nav',
    { ariaLabel: view.say.onThisPage, ...classes('outline') },
    el('p', {}, view.say.onThisPage),
    headingList(view, headings),
  );
}

/** The outline where there is no place beside the text. */
function narrowOutline(view: SiteView, headings: readonly Heading[]): HtmlNode | undefined {
  if (headings.length < 2) return undefined;
  return el('details', classes('narrow-outline'), el('summary', {}, view.say.onThisPage), headingList(view, headings));
}

/** What else can be done with the page. */
function actions(shown: Shown): HtmlNode | undefined {
  const { view, page } = shown;
  const hasMarkdown = view.look.pageActions.markdown && page.path !== '';
  const markdown = hasMarkdown
    ? [
        // It is sent with the page, so that nothing moves when the script comes that makes it work.
        el('button', { type: 'button', ariaLive: 'polite', ...classes('copy', 'copy-page') }, view.say.copyPage),
        el('a', { href: within(view, `${view.addressOf(page.path)}.md`) }, view.say.viewMarkdown),
      ]
    : [];
  const links = [...markdown, ...pdfs(shown)];
  return links.length === 0 ? undefined : el('p', classes('actions'), links);
}

/** PDFs of the page, and of the section it is in: itself with the pages in it, or what it stands in. */
function pdfs({ view, index, page }: Shown): HtmlNode[] {
  if (!view.look.pdf.enabled) return [];
  const section = page.pages.length > 0 ? page : index.parents.get(page.id)?.at(-1);
  const link = (to: string, only: boolean, text: string) =>
    el('a', { href: pdfAt(view, to, { only }), rel: ['nofollow'] }, text);
  const whole = section && link(section.id, false, view.say.pdfOfSection);
  return [link(page.id, true, view.say.pdfOfPage), ...(whole === undefined ? [] : [whole])];
}

const ratings = { good: 'yes', ok: 'partly', bad: 'no' } as const;

/** Whether the page has helped: a form, which needs no script. */
function feedback({ view, page, isRated }: Shown): HtmlNode | undefined {
  if (!view.look.feedback.enabled) return undefined;
  if (isRated) return el('p', { role: 'status', ...classes('feedback') }, view.say.thanks);
  const buttons = Object.entries(ratings).map(([value, name]) =>
    el('button', { type: 'submit', name: 'rating', value }, view.say[name]),
  );
  return el(
    'form',
    {
      method: 'post',
      action: within(view, view.addressOf(page.path)),
      ariaLabel: view.say.feedback,
      ...classes('feedback'),
    },
    el('p', {}, view.say.wasHelpful),
    buttons,
  );
}

function pagination({ view, index, page }: Shown): HtmlNode | undefined {
  const { before, behind } = neighbours(index, page);
  if (before === undefined && behind === undefined) return undefined;
  const leads = (to: DocumentPage | undefined, rel: string, label: string): HtmlNode | undefined =>
    to &&
    el(
      'a',
      { href: within(view, view.addressOf(to.path)), rel: [rel] },
      el('small', {}, label),
      ' ',
      titleOf(view, to),
    );
  return el(
    'nav',
    { ariaLabel: view.say.neighbours, ...classes('pager') },
    leads(before, 'prev', view.say.previous),
    leads(behind, 'next', view.say.next),
  );
}

function metadata({ view, page }: Shown): HtmlNode | undefined {
  const date = page.updatedAt === undefined ? undefined : dateText(page.updatedAt, 'full', view.locale);
  if (date === undefined) return undefined;
  const [before = '', behind = ''] = view.say.lastChanged.split('{date}');
  return el('p', classes('changed'), before, el('time', { dateTime: page.updatedAt }, date), behind);
}
