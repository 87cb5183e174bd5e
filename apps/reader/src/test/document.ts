import { parseMarkdown, type Block, type RichDocument } from '@scriptorium/rich-text';
import { htmlText, renderDocument } from '../rich-text/document.js';
import { apiTextsOf } from '../texts/api/api-texts.js';
import { textsOf } from '../texts/texts.js';
import type { Surroundings } from '../rich-text/render-context.js';

/** A site on which every page, file and space is shown. */
export const everywhere: Surroundings = {
  targetOf: (ref) => {
    const text = (name: string): string => (typeof ref[name] === 'string' ? ref[name] : '');
    if (ref.kind === 'url') return { href: text('url'), isExternal: true };
    if (ref.kind === 'page') return { href: `/site/${text('page')}`, title: `Page ${text('page')}` };
    if (ref.kind === 'anchor') return { href: `/site/${text('page')}#${text('anchor')}` };
    return ref.kind === 'user' ? undefined : { href: `/site/${ref.kind}` };
  },
  fileOf: (ref) => {
    if (ref.kind === 'url' && typeof ref['url'] === 'string') return { url: ref['url'], name: 'elsewhere' };
    if (ref.kind !== 'file' || typeof ref['file'] !== 'string') return undefined;
    return {
      url: `https://files.example/${ref['file']}`,
      name: `${ref['file']}.png`,
      size: 12_345,
      width: 40,
      height: 30,
    };
  },
  linesOf: () => undefined,
  componentOf: () => undefined,
  mayFrame: false,
  searchAt: (query) => `/site/~search?q=${query}`,
  opensTabs: false,
  say: textsOf('en'),
  sayOfApi: apiTextsOf('en'),
  locale: 'en',
  isSolid: false,
  embedHosts: [],
};

/** A document as HTML. */
export function shown(document: RichDocument, around: Partial<Surroundings> = {}): string {
  return htmlText(renderDocument(document, { ...everywhere, ...around }).nodes);
}

/** Markdown as HTML. */
export function page(markdown: string, around: Partial<Surroundings> = {}): string {
  return shown(parseMarkdown(markdown, { context: 'page' }).document, around);
}

/** Blocks as HTML. */
export function blocks(...nodes: Block[]): string {
  return shown({ object: 'document', data: {}, nodes });
}
