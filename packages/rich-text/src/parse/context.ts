import { isSafeUrl, type ResolveLink, type TargetUse } from '../model/refs.js';
import { type Block, type ContentRef, type Context } from '../model/types.js';
import { type KeySource } from '../model/keys.js';
import { type Limits } from '../model/limits.js';
import { type Md } from '../syntax/md.js';
import { type InlineState } from './inline-builder.js';

/** How an integration block is written as a fenced code block: its language, and the property that is the body. */
export type IntegrationCode = { integration: string; block: string; codeblock: string; body: string };

/** What every conversion step needs to know. */
export type ParseContext = {
  source: string;
  context: Context;
  limits: Limits;
  resolveLink: ResolveLink;
  /** See `ParseOptions`. */
  keepAddresses: boolean;
  integrations: readonly IntegrationCode[];
  newKey: KeySource;
  definitions: Map<string, Md>;
  footnotes: Map<string, Md>;
  /** Notes of a name that another one before has. */
  otherFootnotes: Md[];
  /** Footnotes converted so far, and those being converted, whose own references stay text. */
  usedFootnotes: Set<string>;
  openFootnotes: Set<string>;
  /** Characters of footnotes converted again, because several references each hold a copy. */
  repeated: number;
  /** The conversions that call each other across files, bound here so that the files need not import each other. */
  blocks: (children: Md[]) => Block[];
  element: (ctx: ParseContext, node: Md, state: InlineState) => void;
};

/** The reference for a URL, or null when it is unsafe, empty or not resolved. */
export function refOf(ctx: ParseContext, url: string | undefined, use: TargetUse): ContentRef | null {
  if (!url || url === 'broken-reference' || url.length > 8192) return null;
  if (!url.startsWith('mention:') && !isSafeUrl(url)) return null;
  return ctx.resolveLink(url, use);
}

/** What stays of an address that leads nowhere, behind the words of what has it. */
export function leftOf(ctx: Pick<ParseContext, 'keepAddresses'>, url: string | undefined, words: string): string {
  const isKept = ctx.keepAddresses && url !== undefined && url !== '' && url !== 'broken-reference' && isSafeUrl(url);
  if (!isKept || words === url) return '';
  return words === '' ? url : ` (${url})`;
}

/** Definitions of links and footnotes, wherever they stand; the first of a name counts. */
export function collectDefinitions(
  root: Md,
  ctx: Pick<ParseContext, 'definitions' | 'footnotes' | 'otherFootnotes'>,
): void {
  const todo: Md[] = [root];
  for (let node = todo.pop(); node; node = todo.pop()) {
    const name = node.identifier ?? '';
    if (node.type === 'definition' && !ctx.definitions.has(name)) ctx.definitions.set(name, node);
    if (node.type === 'footnoteDefinition') {
      if (ctx.footnotes.has(name)) ctx.otherFootnotes.push(node);
      else ctx.footnotes.set(name, node);
    }
    const children = node.children ?? [];
    for (let i = children.length - 1; i >= 0; i--) todo.push(children[i] as Md);
  }
}
