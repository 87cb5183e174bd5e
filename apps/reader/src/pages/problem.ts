import { htmlText } from '../rich-text/document.js';
import { classes, el, type Child } from '../rich-text/html.js';
import type { Surroundings } from '../rich-text/render-context.js';
import { stylePath } from '../style/style.js';
import type { PageIndex } from '../visit/pages.js';
import type { SiteView } from '../visit/site-view.js';
import { searchForm } from './layout.js';
import { pageTree, variants } from './navigation.js';

const problems = {
  404: ['Not found', 'There is no page at this address, or it is not shown to you.'],
  401: ['Sign in first', 'This site is shown to visitors who are signed in. Come back by the link that you got.'],
  414: ['The address is too long', 'Try a shorter one.'],
  431: ['You cannot stay signed in', 'What your sign-in says about you is too long for a cookie.'],
  429: ['Too many requests', 'Wait a moment, then try again.'],
  500: ['Something went wrong', 'This is not your fault. Try again later.'],
  503: ['Not available', 'The site cannot be shown at the moment. Try again in a few seconds.'],
} as const;
export type ProblemStatus = keyof typeof problems;

/** A page that tells why there is no other one. `base`: the address below which the style is served. */
export function problemPage(status: ProblemStatus, base: string): string {
  const [title, text] = problems[status];
  const html = el(
    'html',
    { lang: 'en' },
    el(
      'head',
      {},
      el('meta', { charSet: 'utf-8' }),
      el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      el('meta', { name: 'robots', content: 'noindex' }),
      el('title', {}, title),
      el('link', { rel: ['stylesheet'], href: `${base}${stylePath}` }),
    ),
    el('body', {}, el('main', { id: 'main', ...classes('problem') }, el('h1', {}, title), el('p', {}, text))),
  );
  return `<!doctype html>\n${htmlText([html])}\n`;
}

export function isProblemStatus(status: number): status is ProblemStatus {
  return status in problems;
}

/** The main part of a page of a site at whose address there is none. */
export function missingPage(view: SiteView, index: PageIndex, around: Surroundings): Child[] {
  const [title, text] = problems[404];
  return [
    el('div', { id: 'pages', ...classes('beside') }, variants(view), pageTree(view, index, undefined, around)),
    el('main', { id: 'main' }, el('h1', {}, title), el('p', {}, text), searchForm(view, '')),
  ];
}
