import { htmlText } from '../rich-text/document.js';
import { classes, el, type Child, type HtmlNode } from '../rich-text/html.js';
import { outside } from '../rich-text/inlines.js';
import { filled } from '../texts/texts.js';
import { consentAgain, consentForm } from './consent.js';
import type { Frame } from './frame.js';
import { head, rootProperties } from './head.js';
import { drawer, header, refLink, themedPicture } from './header.js';
import { sections } from './navigation.js';
import { themeForm } from './themes.js';

/** The parts of a page below its top. */
export interface Parts {
  /** The pages of the space. */
  tree?: HtmlNode | undefined;
  main: readonly Child[];
  /** The origins of frames that integrations show. */
  frames?: readonly string[];
}

/** A whole page as a text. */
export function wholePage(frame: Frame, { tree, main }: Parts): string {
  const { view } = frame;
  const html = el(
    'html',
    rootProperties(frame),
    head(frame),
    el(
      'body',
      {},
      el('a', { href: '#main', className: ['skip'] }, view.say.skip),
      announcement(frame),
      header(frame),
      sections(view),
      el('div', classes('frame'), drawer(frame, tree), ...main),
      footer(frame),
      consentForm(frame),
    ),
  );
  return `<!doctype html>\n${htmlText([html])}\n`;
}

function announcement({ view, referred }: Frame): HtmlNode | undefined {
  const { enabled, message, link: leads, style } = view.look.announcement;
  if (!enabled || message === undefined || message === '') return undefined;
  const to = leads === undefined ? undefined : refLink({ view, referred }, leads.title, leads.to);
  return el('aside', { ariaLabel: view.say.announcement, ...classes('announcement', style) }, message, to && ' ', to);
}

function footer(frame: Frame): HtmlNode | undefined {
  const { view } = frame;
  const { footer: given, privacyPolicy, trademark } = view.look;
  const groups = given.groups.map(({ title, links }) => {
    const items = links.map((one) => el('li', {}, refLink(frame, one.title, one.to)));
    return el('section', {}, el('h2', {}, title), el('ul', {}, items));
  });
  const privacy =
    privacyPolicy.url && el('a', { href: privacyPolicy.url, ...outside({ opensTabs: false }) }, view.say.privacyPolicy);
  const copyright = given.copyright && el('p', {}, given.copyright);
  const logo = given.logo && el('div', classes('logo'), themedPicture(given.logo, ''));
  const made = trademark.enabled ? el('p', {}, filled(view.say.madeWith, { product: 'Scriptorium' })) : undefined;
  const above = [logo || undefined, ...groups].filter((part) => part !== undefined);
  const below = [copyright || undefined, made, privacy || undefined, consentAgain(frame), themeForm(frame)];
  const rows = [
    above.length === 0 ? undefined : el('div', classes('groups'), above),
    below.every((part) => part === undefined) ? undefined : el('div', classes('last'), below),
  ];
  if (rows.every((row) => row === undefined)) return undefined;
  return el('footer', classes('bottom'), el('div', classes('inside'), rows));
}
