import type { ContentReference } from '@scriptorium/contracts';
import { classes, el, type Child, type HtmlNode } from '../rich-text/html.js';
import { icon } from '../rich-text/icons.js';
import { link } from '../rich-text/inlines.js';
import type { SiteView } from '../visit/site-view.js';
import type { Frame } from './frame.js';
import { searchAt, targetOf, within } from './links.js';
import { sections, variants } from './navigation.js';

type Of = Pick<Frame, 'view' | 'referred'>;

/** The line at the top. On a narrow screen it has the name alone, and what opens the drawer and the search. */
export function header(frame: Frame): HtmlNode {
  const { view, query } = frame;
  const { logo } = view.look.header;
  const name = logo === undefined ? view.title : themedPicture(logo, view.title);
  return el(
    'header',
    classes('top'),
    el(
      'button',
      { type: 'button', popoverTarget: 'pages', ariaLabel: view.say.menu, ...classes('to-drawer') },
      icon('menu'),
    ),
    el('a', { href: within(view, view.siteBase), className: ['name'] }, name),
    headerLinks(frame),
    query === undefined ? searchForm(view, '') : undefined,
    query === undefined
      ? el('a', { href: searchAt(view), ariaLabel: view.say.search, ...classes('to-search') }, icon('search'))
      : undefined,
  );
}

/** The navigation of a space: beside the text, and where there is no place for it, in a drawer with the rest. */
export function drawer(frame: Frame, tree: HtmlNode | undefined): HtmlNode {
  const { view, query } = frame;
  const { say } = view;
  const spaces = variants(frame);
  const close = { type: 'button', popoverTarget: 'pages', popoverTargetAction: 'hide', ariaLabel: say.close };
  const isEmpty = tree === undefined && spaces === undefined;
  return el(
    'div',
    { id: 'pages', popover: 'auto', ...classes('beside', isEmpty && 'narrow-only') },
    el(
      'div',
      classes('drawer-top', 'narrow-only'),
      query === undefined ? searchForm(view, '') : undefined,
      el('button', { ...close, ...classes('close') }, icon('x')),
    ),
    spaces,
    el('div', classes('narrow-only'), headerLinks(frame), sections(view)),
    tree,
  );
}

function headerLinks(frame: Of): HtmlNode | undefined {
  const { view } = frame;
  const links = view.look.header.links.map((one) => el('li', {}, headerLink(frame, one)));
  return links.length === 0
    ? undefined
    : el('nav', { ariaLabel: view.say.links, ...classes('links') }, el('ul', {}, links));
}

function headerLink(frame: Of, { title, to, style, links }: SiteView['look']['header']['links'][number]): Child {
  const look = style === 'link' ? {} : classes('button', 'small', style === 'button-secondary' && 'secondary');
  if (links.length === 0) return to === null ? title : refLink(frame, title, to, look);
  const items = links.map((one) => el('li', {}, refLink(frame, one.title, one.to)));
  return el('details', classes('menu'), el('summary', {}, title), el('ul', {}, items));
}

/** A link of header or footer. */
export function refLink({ view, referred }: Of, title: string, to: ContentReference, more = {}): HtmlNode {
  const opensTabs = view.look.externalLinks.target === 'blank';
  return link({ opensTabs }, targetOf(view, referred, to), [{ type: 'text', value: title }], more);
}

export function searchForm({ base, carried, say }: SiteView, query: string): HtmlNode {
  const hidden = [...new URLSearchParams(carried)].map(([name, value]) => el('input', { type: 'hidden', name, value }));
  const box = {
    type: 'search',
    name: 'q',
    value: query,
    ariaLabel: say.search,
    placeholder: say.search,
    maxLength: 512,
  };
  return el(
    'form',
    { role: 'search', action: `${base}~search`, method: 'get' },
    el('input', box),
    hidden,
    el('button', { type: 'submit', ariaLabel: say.search }, icon('search')),
  );
}

/** An image, with another one for dark surroundings. */
export function themedPicture({ light, dark }: { light: string; dark: string }, alt: string): HtmlNode[] {
  if (dark === light) return [el('img', { src: light, alt })];
  return [el('img', { src: light, alt, ...classes('on-light') }), el('img', { src: dark, alt, ...classes('on-dark') })];
}
