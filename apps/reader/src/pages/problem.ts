import { htmlText } from '../rich-text/document.js';
import { classes, el } from '../rich-text/html.js';
import type { Surroundings } from '../rich-text/render-context.js';
import { iconPath } from '../style/favicon.js';
import { stylePath } from '../style/style.js';
import { directionOf, localeFor, textsOf } from '../texts/texts.js';
import type { PageIndex } from '../visit/pages.js';
import type { SiteView } from '../visit/site-view.js';
import { searchForm } from './header.js';
import type { Parts } from './layout.js';
import { pageTree } from './navigation.js';

const problems = {
  404: ['notFound', 'notFoundText'],
  401: ['signIn', 'signInText'],
  414: ['tooLong', 'tooLongText'],
  431: ['notSignedIn', 'notSignedInText'],
  429: ['tooMany', 'tooManyText'],
  500: ['wentWrong', 'wentWrongText'],
  503: ['notAvailable', 'notAvailableText'],
} as const;
export type ProblemStatus = keyof typeof problems;

/**
 * A page that tells why there is no other one. `base`: the address below which the style is served; `languages`: those
 * that the visitor reads, since nothing is known of the site.
 */
export function problemPage(status: ProblemStatus, base: string, languages = ''): string {
  const locale = localeFor(languages);
  const [title, text] = problems[status].map((name) => textsOf(locale)[name]);
  const html = el(
    'html',
    { lang: locale, dir: directionOf(locale) },
    el(
      'head',
      {},
      el('meta', { charSet: 'utf-8' }),
      el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      el('meta', { name: 'robots', content: 'noindex' }),
      el('title', {}, title),
      el('link', { rel: ['icon'], href: `${base}${iconPath()}`, type: 'image/svg+xml' }),
      el('link', { rel: ['stylesheet'], href: `${base}${stylePath}` }),
    ),
    el('body', {}, el('main', { id: 'main', ...classes('problem') }, el('h1', {}, title), el('p', {}, text))),
  );
  return `<!doctype html>\n${htmlText([html])}\n`;
}

export function isProblemStatus(status: number): status is ProblemStatus {
  return status in problems;
}

/** The parts of a page of a site at whose address there is none. */
export function missingPage(view: SiteView, index: PageIndex, around: Surroundings): Parts {
  const [title, text] = problems[404];
  const { say } = view;
  return {
    tree: pageTree(view, index, undefined, around),
    main: [el('main', { id: 'main' }, el('h1', {}, say[title]), el('p', {}, say[text]), searchForm(view, ''))],
  };
}
