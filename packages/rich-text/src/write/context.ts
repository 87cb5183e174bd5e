import { text } from '../model/build.js';
import { isRef } from '../model/json.js';
import { formatLinkByDefault, isSafeUrl, type FormatLink } from '../model/refs.js';
import { type Block, type ContentRef, type Context, type InlineNode, type Json, type Node } from '../model/types.js';
import { type IntegrationCode } from '../parse/context.js';
import { type Md } from '../syntax/md.js';

/** What every step of writing needs to know. */
export type WriteContext = {
  context: Context;
  refs: 'relative' | 'stable';
  formatLink: FormatLink;
  integrations: readonly IntegrationCode[];
  /** Definitions to be written at the end. */
  footnotes: Md[];
  /** Bound here so that inlines (whose notes hold blocks) and blocks need not import each other. */
  blocks: (nodes: Node[]) => Md[];
};

/** How blocks of a type are written. */
export type Write = (ctx: WriteContext, node: Block) => Md[];

/** The URL of a reference and, when the formatter knows it, the name of its target. Never an unsafe URL. */
export function linkOf(ctx: WriteContext, ref: Json | undefined): { url: string; text?: string } {
  const formatted = isRef(ref) ? (ctx.formatLink(ref, ctx.refs) ?? formatLinkForOwn(ref)) : null;
  const link = typeof formatted === 'string' ? { url: formatted } : formatted;
  if (!link || link.url === '' || (!isSafeUrl(link.url) && !link.url.startsWith('mention:')))
    return { url: 'broken-reference' };
  return link;
}

/** Plain URLs need no formatter's consent. */
const formatLinkForOwn = (ref: ContentRef): ReturnType<FormatLink> =>
  ref.kind === 'url' ? formatLinkByDefault(ref, 'stable') : null;

export const str = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
export const optional = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const html = (value: string): Md => ({ type: 'html', value });
/** A line of `{% … %}`; `edge` tells the joiner on which side no blank line is wanted. */
export const tag = (value: string, edge?: 'open' | 'close'): Md => ({
  type: 'tag',
  value,
  ...(edge && { name: edge }),
});

/** The inline nodes of a block, or the inline node that stands in a block's place. */
export const textOf = (node: Node): InlineNode[] =>
  node.object === 'block' ? (node.nodes ?? []).filter((child) => child.object !== 'block') : [node];

/** The caption of a block as one run of inline nodes, its paragraphs as lines. */
export function captionOf(node: Block): InlineNode[] {
  const lines = (blocks: readonly Node[]): InlineNode[][] =>
    blocks.flatMap((each) =>
      each.object === 'block' && each.nodes?.some((child) => child.object === 'block')
        ? lines(each.nodes)
        : [textOf(each)],
    );
  const captions = (node.fragments ?? []).filter((part) => part.fragment === 'caption');
  return captions.flatMap((part) => lines(part.nodes)).flatMap((line, i) => (i === 0 ? line : [text('\n'), ...line]));
}

/** True for a paragraph that says nothing but its text. */
export const isLine = (node: Node): boolean =>
  node.object === 'block' && node.type === 'paragraph' && node.data['align'] === undefined;
