import type { Block, Node, RichDocument } from '@scriptorium/rich-text';
import { textIn } from '@scriptorium/rich-text/reading';
import { filled } from '../texts/texts.js';
import type { DocumentPage } from '../visit/pages.js';
import type { SiteView } from '../visit/site-view.js';

/** News of a feed, and characters of each, at most. */
const most = { news: 100, text: 2_000 };

/** Where the news of a page are read by programs. */
export function feedAt({ base, carried }: Pick<SiteView, 'base' | 'carried'>, page: string): string {
  const parameters = new URLSearchParams(carried);
  parameters.set('page', page);
  return `${base}~feed?${parameters.toString()}`;
}

/** The news of a page, in the order in which they stand there. */
export function newsIn({ document }: Pick<DocumentPage, 'document'>): Block[] {
  const found: Block[] = [];
  const walk = (node: Node): void => {
    if (node.object === 'text' || found.length >= most.news) return;
    if (node.object === 'block' && node.type === 'update') found.push(node);
    else node.nodes?.forEach(walk);
  };
  (document as RichDocument | undefined)?.nodes.forEach(walk);
  return found;
}

/** The news of a page as a feed. `address`: the page, whole. Pure. */
export function newsFeed(view: SiteView, page: DocumentPage, address: string): string {
  const items = newsIn(page).map((update) => itemOf(update, address));
  const title = filled(view.say.feedOf, { title: `${page.title} | ${view.title}` });
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>${xml(title)}</title>
<link>${xml(address)}</link>
<description>${xml(page.description ?? title)}</description>
<language>${xml(view.contentLocale)}</language>
${items.join('')}</channel></rss>
`;
}

function itemOf(update: Block, address: string): string {
  const nodes = update.nodes ?? [];
  const heading = nodes.find((node) => node.object === 'block' && node.type.startsWith('heading-'));
  const date = textIn(update.data, 'date');
  const day = new Date(date);
  const title = heading === undefined ? date : textOf(heading);
  const text = nodes
    .filter((node) => node !== heading)
    .map(textOf)
    .join('\n')
    .slice(0, most.text);
  const published = Number.isNaN(day.getTime()) ? '' : `<pubDate>${day.toUTCString()}</pubDate>`;
  const key = update.key ?? `${date} ${title}`;
  return `<item><title>${xml(title)}</title><link>${xml(address)}</link><guid isPermaLink="false">${xml(`${address} ${key}`)}</guid>${published}<description>${xml(text)}</description></item>\n`;
}

function textOf(node: Node): string {
  if (node.object === 'text') return node.leaves.map(({ text }) => text).join('');
  const separator = node.object === 'block' && node.nodes?.some(({ object }) => object === 'block') ? '\n' : '';
  return (node.nodes ?? []).map(textOf).join(separator);
}

const names: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** A text in XML, without the control characters that it cannot have. */
function xml(text: string): string {
  return text.replaceAll(/[^\P{Cc}\t\n\r]/gu, '').replaceAll(/[&<>"']/g, (one) => names[one] ?? '');
}
