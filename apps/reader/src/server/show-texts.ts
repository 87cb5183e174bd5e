import { AppError } from '@scriptorium/contracts';
import { newsFeed, newsIn } from '../pages/feed.js';
import { within } from '../pages/links.js';
import { pageMarkdown } from '../pages/markdown.js';
import type { Content } from '../visit/content.js';
import type { DocumentPage } from '../visit/pages.js';
import { siteView, type SiteView } from '../visit/site-view.js';
import type { Answer } from './answer.js';
import { lineForAgents } from './show-agent.js';
import { targetsOf } from './page-references.js';
import type { Inside } from './show-page.js';

/** The news of a page as a feed. @throws AppError `not_found` for a page that has none */
export async function showFeed({ content, carried }: Inside, page: string, origin: string): Promise<Answer> {
  const [published, index] = await Promise.all([content.site(), content.pages()]);
  const view = siteView(published, content.at, carried);
  const found = index.byId.get(page);
  if (found?.type !== 'document') throw new AppError('not_found');
  const whole = await content.page(found);
  if (newsIn(whole).length === 0) throw new AppError('not_found');
  const address = new URL(within(view, view.addressOf(found.path)), origin).href;
  return { status: 200, body: newsFeed(view, whole, address), type: 'application/rss+xml' };
}

/** The pages of a site for language models, and where agents are answered if the site wants them. */
export async function showList({ content, carried }: Inside, origin: string): Promise<Answer> {
  const [published, text] = await Promise.all([content.site(), content.text('llms.txt')]);
  const view = siteView(published, content.at, carried);
  const [title = '', ...rest] = text.split('\n');
  const body = view.look.pageActions.mcp ? [title, '', lineForAgents(view, origin), ...rest.slice(1)].join('\n') : text;
  return { status: 200, body, type: 'text/plain' };
}

/** Pages and characters of the text of a whole site, and the time for reading them. */
const most = { pages: 2_000, characters: 8_000_000, ms: 7_000 };
const atOnce = 4;

/** All pages of a site as one markdown, in the order of its spaces; what does not fit is counted at the end. */
export async function showWhole({ content, carried }: Inside, origin: string): Promise<Answer> {
  const published = await content.site();
  const parts = [`# ${published.site.title}\n`];
  const until = Date.now() + most.ms;
  let size = 0;
  let count = 0;
  let leftOut = 0;
  const spaces = [...siteView(published, content.at, carried).bases.keys()];
  for (const space of spaces) {
    const of = content.inSpace(space);
    const view = siteView(published, of.at, carried);
    const { order } = await of.pages();
    const pages = order.filter(({ noIndex }) => noIndex !== true);
    for (let at = 0; at < pages.length; at += atOnce) {
      const group = pages.slice(at, at + atOnce);
      if (Date.now() > until || size > most.characters || count >= most.pages) {
        leftOut += pages.length - at;
        break;
      }
      const texts = await Promise.all(group.map((page) => markdownOf(of, { view, origin }, page)));
      parts.push(...texts);
      size += texts.reduce((sum, { length }) => sum + length, 0);
      count += group.length;
    }
  }
  if (leftOut > 0) parts.push(`${leftOut} more pages are listed in llms.txt.\n`);
  return { status: 200, body: parts.join('\n'), type: 'text/plain' };
}

async function markdownOf(
  content: Content,
  { view, origin }: { view: SiteView; origin: string },
  page: DocumentPage,
): Promise<string> {
  const [whole, index] = await Promise.all([content.page(page), content.pages()]);
  const referred = { ...(await targetsOf(content, { page: whole, index, around: [] })), lines: new Map() };
  const address = new URL(view.addressOf(page.path), origin).href;
  return `${pageMarkdown({ view, referred, origin }, whole)}\nSource: ${address}\n`;
}
