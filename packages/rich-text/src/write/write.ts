import { stringify as toYaml } from 'yaml';
import { isEmptyParagraph } from '../model/build.js';
import { isObject } from '../model/json.js';
import { formatLinkByDefault, type FormatLink } from '../model/refs.js';
import { type Context, type Data, type RichDocument } from '../model/types.js';
import { type IntegrationCode } from '../parse/context.js';
import { type FrontMatter } from '../parse/front-matter.js';
import { type Md } from '../syntax/md.js';
import { writeBlocks } from './blocks.js';
import { type WriteContext } from './context.js';
import { stringify } from './stringify.js';

export type WriteOptions = {
  /** `page` writes the first heading level as `##`, because `#` is the title; default `comment`. */
  context?: Context;
  /** See {@link FormatLink}; default: the stable forms. What it does not know becomes `broken-reference`. */
  formatLink?: FormatLink;
  /** Handed to `formatLink`: paths relative to the page, or forms that survive moves. Default `relative`. */
  refs?: 'relative' | 'stable';
  /** Integration blocks that are written as fenced code. */
  integrations?: readonly IntegrationCode[];
  /** Written as the first line of a page. */
  title?: string;
  /** Written before everything else. */
  frontMatter?: FrontMatter;
};

/** A document as markdown. Reading it back gives the same nodes; writing that again gives the same text. */
export function toMarkdown(document: RichDocument, options: WriteOptions = {}): string {
  const ctx: WriteContext = {
    context: options.context ?? 'comment',
    refs: options.refs ?? 'relative',
    formatLink: options.formatLink ?? formatLinkByDefault,
    integrations: options.integrations ?? [],
    footnotes: [],
    blocks: (nodes) => writeBlocks(ctx, nodes),
  };
  const title: Md[] =
    options.title === undefined
      ? []
      : [{ type: 'heading', depth: 1, children: [{ type: 'text', value: options.title.replace(/\s+/g, ' ') }] }];
  const body = document.nodes.every((node) => isEmptyParagraph(node)) ? [] : writeBlocks(ctx, document.nodes);
  return frontMatterText(options.frontMatter) + stringify([...title, ...body, ...ctx.footnotes]);
}

function frontMatterText(frontMatter: FrontMatter | undefined): string {
  if (!frontMatter) return '';
  const { condition, variables, other = {}, ...rest } = frontMatter;
  const map: Data = {
    ...rest,
    ...(condition !== undefined && { if: condition }),
    ...(variables && { vars: variables }),
  };
  for (const [key, value] of Object.entries(other)) {
    const read = map[key];
    map[key] = isObject(read) && isObject(value) ? { ...read, ...value } : value;
  }
  return Object.keys(map).length === 0 ? '' : `---\n${toYaml(map)}---\n\n`;
}
