import type { ContentReference } from '@scriptorium/contracts';
import { htmlText } from '../rich-text/document.js';
import { classes, el, type Child, type HtmlNode } from '../rich-text/html.js';
import { link, outside } from '../rich-text/inlines.js';
import { ownFonts } from '../style/fonts.js';
import { scriptPath } from '../style/script.js';
import { stylePath, themePath } from '../style/style.js';
import type { SiteView } from '../visit/site-view.js';
import { targetOf, within, type Referred } from './links.js';
import { sections } from './navigation.js';

/** What stands around the main part of every page of a site. */
export interface Frame {
  view: SiteView;
  referred: Referred;
  /** The title of the page; that of the site alone when it is empty. */
  title: string;
  description?: string | undefined;
  /** The address under which search engines know the page. */
  canonical?: string | undefined;
  /** Whether search engines may list the page. */
  isListed: boolean;
  /** The theme that the visitor has chosen. */
  theme?: string | undefined;
  /** The path of the page in its space, if it is one. */
  here?: string | undefined;
  /** What was searched for. */
  query?: string | undefined;
}

/** A whole page as a text. */
export function wholePage(frame: Frame, ...main: Child[]): string {
  const { view } = frame;
  const { themes, internationalization } = view.look;
  const html = el(
    'html',
    { lang: internationalization.locale, dataTheme: themeOf(themes, frame.theme) },
    head(frame),
    el(
      'body',
      {},
      el('a', { href: '#main', className: ['skip'] }, 'Skip to the content'),
      announcement(frame),
      header(frame),
      sections(view),
      el('div', classes('frame'), ...main),
      footer(frame),
    ),
  );
  return `<!doctype html>\n${htmlText([html])}\n`;
}

const themeNames = { light: 'Light', dark: 'Dark', system: 'As the system' } as const;

/** What the visitor has chosen, where they may, else what the site begins with. */
function themeOf({ default: given, toggeable }: SiteView['look']['themes'], chosen = ''): string {
  return toggeable && Object.hasOwn(themeNames, chosen) ? chosen : given;
}

/** A form that chooses a theme, and comes back to the page. */
function themeForm({ view, theme, here }: Frame): HtmlNode | undefined {
  const { themes } = view.look;
  if (!themes.toggeable || here === undefined) return undefined;
  const present = themeOf(themes, theme);
  const buttons = Object.entries(themeNames).map(([value, name]) =>
    el('button', { type: 'submit', name: 'theme', value, ariaPressed: value === present ? 'true' : 'false' }, name),
  );
  return el(
    'form',
    { method: 'post', action: within(view, view.addressOf(here)), ariaLabel: 'Theme', ...classes('themes') },
    buttons,
  );
}

function head({ view, title, description, canonical, isListed }: Frame): HtmlNode {
  const { favicon, socialPreview } = view.look;
  const whole = title === '' || title === view.title ? view.title : `${title} | ${view.title}`;
  const fonts = ownFonts(view.look.styling);
  const about = description === undefined || description === '' ? undefined : description;
  return el(
    'head',
    {},
    el('meta', { charSet: 'utf-8' }),
    el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    el('title', {}, whole),
    about && el('meta', { name: 'description', content: about }),
    isListed ? undefined : el('meta', { name: 'robots', content: 'noindex' }),
    canonical && el('link', { rel: ['canonical'], href: canonical }),
    el('meta', { property: 'og:title', content: whole }),
    socialPreview.url && el('meta', { property: 'og:image', content: socialPreview.url }),
    favicon.icon && el('link', { rel: ['icon'], href: favicon.icon.light }),
    el('link', { rel: ['stylesheet'], href: `${view.siteBase}${stylePath}` }),
    el('link', { rel: ['stylesheet'], href: `${view.siteBase}${themePath(view.look.styling)}` }),
    fonts && el('style', {}, fonts.style),
    el('script', { type: 'module', src: `${view.siteBase}${scriptPath}`, dataCopy: 'Copy', dataCopied: 'Copied' }),
  );
}

function announcement({ view, referred }: Frame): HtmlNode | undefined {
  const { enabled, message, link: leads, style } = view.look.announcement;
  if (!enabled || message === undefined || message === '') return undefined;
  const to = leads === undefined ? undefined : refLink({ view, referred }, leads.title, leads.to);
  return el('aside', { ariaLabel: 'Announcement', ...classes('announcement', style) }, message, to && ' ', to);
}

/** A link of header or footer. */
function refLink({ view, referred }: Pick<Frame, 'view' | 'referred'>, title: string, to: ContentReference): HtmlNode {
  const opensTabs = view.look.externalLinks.target === 'blank';
  return link({ opensTabs }, targetOf(view, referred, to), [{ type: 'text', value: title }]);
}

function header(frame: Frame): HtmlNode {
  const { view, query = '' } = frame;
  const { logo, links: given } = view.look.header;
  const name = logo === undefined ? view.title : picture(logo, view.title);
  const links = given.map((one) => el('li', {}, headerLink(frame, one)));
  return el(
    'header',
    classes('top'),
    el('a', { href: within(view, view.siteBase), className: ['name'] }, name),
    links.length === 0 ? undefined : el('nav', { ariaLabel: 'Links' }, el('ul', {}, links)),
    el('a', { href: '#pages', ...classes('to-pages') }, 'Pages'),
    searchForm(view, query),
  );
}

function headerLink(frame: Frame, { title, to, links }: SiteView['look']['header']['links'][number]): Child {
  if (links.length === 0) return to === null ? title : refLink(frame, title, to);
  const items = links.map((one) => el('li', {}, refLink(frame, one.title, one.to)));
  return el('details', classes('menu'), el('summary', {}, title), el('ul', {}, items));
}

export function searchForm(view: SiteView, query: string): HtmlNode {
  const carried = [...new URLSearchParams(view.carried)].map(([name, value]) =>
    el('input', { type: 'hidden', name, value }),
  );
  return el(
    'form',
    { role: 'search', action: `${view.base}~search`, method: 'get' },
    el('input', {
      type: 'search',
      name: 'q',
      value: query,
      ariaLabel: 'Search',
      placeholder: 'Search',
      maxLength: 512,
    }),
    carried,
    el('button', { type: 'submit' }, 'Search'),
  );
}

/** An image, with another one for dark surroundings. */
function picture({ light, dark }: { light: string; dark: string }, alt: string): HtmlNode {
  const image = el('img', { src: light, alt });
  if (dark === light) return image;
  return el('picture', {}, el('source', { srcSet: [dark], media: '(prefers-color-scheme: dark)' }), image);
}

function footer(frame: Frame): HtmlNode | undefined {
  const { footer: given, privacyPolicy, trademark } = frame.view.look;
  const groups = given.groups.map(({ title, links }) => {
    const items = links.map((one) => el('li', {}, refLink(frame, one.title, one.to)));
    return el('section', {}, el('h2', {}, title), el('ul', {}, items));
  });
  const privacy =
    privacyPolicy.url && el('a', { href: privacyPolicy.url, ...outside({ opensTabs: false }) }, 'Privacy policy');
  const copyright = given.copyright && el('p', {}, given.copyright);
  const logo = given.logo && picture(given.logo, '');
  const made = trademark.enabled ? el('p', {}, 'Made with Scriptorium') : undefined;
  const parts = [logo || undefined, ...groups, copyright || undefined, privacy || undefined, made, themeForm(frame)];
  return parts.every((part) => part === undefined) ? undefined : el('footer', classes('bottom'), parts);
}
