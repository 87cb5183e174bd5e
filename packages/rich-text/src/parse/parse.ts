import { append } from '../model/append.js';
import { keysFrom } from '../model/keys.js';
import { limitsOf, type Limits } from '../model/limits.js';
import { formatLinkByDefault, resolveLinkByDefault, type ResolveLink } from '../model/refs.js';
import { SCHEMA_VERSION, type Block, type ContentRef, type Context, type RichDocument } from '../model/types.js';
import { keysOf } from '../model/walk.js';
import { type IncludedText } from '../dialects/includes.js';
import { readDialect, type Dialect } from '../dialects/read-dialect.js';
import { rematch } from '../compare/rematch.js';
import { repairBlocks } from '../model/repair.js';
import { links } from '../text/links.js';
import { type Md } from '../syntax/md.js';
import { blocks } from './blocks.js';
import { codeBlock } from './code.js';
import { checkCost } from './cost.js';
import { collectDefinitions, type IntegrationCode, type ParseContext } from './context.js';
import { problemOf, readFrontMatter, type FrontMatter } from './front-matter.js';
import { inlineElement } from './inline-elements.js';
import { footnoteBody } from './inlines.js';
import { markdownTree } from './markdown-tree.js';
import { canBeTitle, takeTitle } from './title.js';

export type ParseOptions = {
  /** `page` reads front matter and takes a leading first-level heading as the title; default `comment`. */
  context?: Context;
  /**
   * Whether a leading first-level heading of a page is its title, and no part of its text. Unless given, it is if it
   * has at most 255 characters and front matter names no other title.
   */
  isTitle?: (heading: string, frontMatter: FrontMatter | undefined) => boolean;
  /** See {@link ResolveLink}; default: absolute URLs and this package's own stable forms. */
  resolveLink?: ResolveLink;
  /**
   * The document this text replaces: blocks that are still there keep their keys, and links that lead nowhere their
   * references.
   */
  previous?: RichDocument;
  /**
   * Reads what other products have for containers (`other`) or MDX as well; see {@link Dialect}. Default: this format
   * alone.
   */
  dialect?: Dialect;
  /** The texts of files that blocks of code of another dialect name in `{{#include path}}`, which they then show. */
  included?: IncludedText;
  /** What leads nowhere leaves its address in the text, too, in brackets behind its words. */
  keepAddresses?: boolean;
  /** Integration blocks that are written as fenced code. */
  integrations?: readonly IntegrationCode[];
  limits?: Partial<Limits>;
};

export type ParsedMarkdown = {
  document: RichDocument;
  title?: string;
  /** How many pictures stood in the title; they are the first blocks of the document. */
  picturesInTitle?: number;
  frontMatter?: FrontMatter;
  /**
   * Names of what a dialect has and this format has nothing for, such as code of a generator of sites. It is left out.
   */
  leftOut?: readonly string[];
  /** Types of blocks that stand behind what they were in, because it cannot hold them. */
  moved?: readonly string[];
  /** Why front matter could not be read. Its text is kept as code. */
  frontMatterProblem?: string;
};

function contextOf(source: string, tree: Md, limits: Limits, options: ParseOptions): ParseContext {
  const taken = options.previous ? keysOf(options.previous) : new Set<string>();
  const ctx: ParseContext = {
    source,
    context: options.context ?? 'comment',
    limits,
    resolveLink: withPreviousReferences(options.resolveLink ?? resolveLinkByDefault, options.previous),
    keepAddresses: options.keepAddresses ?? false,
    integrations: options.integrations ?? [],
    newKey: keysFrom(source, taken),
    definitions: new Map(),
    footnotes: new Map(),
    otherFootnotes: [],
    usedFootnotes: new Set(),
    openFootnotes: new Set(),
    repeated: 0,
    blocks: (children) => blocks(ctx, children),
    element: inlineElement,
  };
  collectDefinitions(tree, ctx);
  return ctx;
}

/**
 * Markdown to a rich document. Never fails on malformed text: what is no markup is text, and no text is lost. Keys are
 * derived from the text, so equal texts give equal documents; with `previous`, blocks that stayed, moved or were
 * lightly edited keep the keys they had.
 * @throws RichTextError `too_large`, `too_complex`, `too_many_nodes` for texts beyond `limits`
 */
export function parseMarkdown(text: string, options: ParseOptions = {}): ParsedMarkdown {
  const limits = limitsOf(options.limits);
  const { source, leftOut } = sourceOf(text, options, limits);
  const page = options.context === 'page';
  const tree = pageTree(source, page, limits);
  const ctx = contextOf(source, tree, limits, options);
  const children = [...(tree.children ?? [])];
  const front = takeFrontMatter(children);
  const taken = page
    ? takeTitle(source, children, (heading) => (options.isTitle ?? canBeTitle)(heading, front.frontMatter))
    : undefined;
  const body = blocks(ctx, children);
  const { newKey } = ctx;
  const all = [...front.blocks, ...body, ...unusedFootnotes(ctx)];
  const moved = new Set<string>();
  const nodes = repairBlocks(all, { newKey, limits, splitsLists: true, moved });
  const parsed: RichDocument = { object: 'document', data: { schemaVersion: SCHEMA_VERSION }, nodes };
  const document = options.previous ? rematch(parsed, options.previous) : parsed;
  return {
    document,
    ...(taken !== undefined && { title: taken.title }),
    ...(taken !== undefined && taken.pictures > 0 && { picturesInTitle: taken.pictures }),
    ...(leftOut.length > 0 && { leftOut }),
    ...(moved.size > 0 && { moved: [...moved] }),
    ...(front.frontMatter && { frontMatter: front.frontMatter }),
    ...(front.problem !== undefined && { frontMatterProblem: front.problem }),
  };
}

/** How much longer a text can become when containers are written as tags. */
const MOST_GROWTH = 4;

/** The text as this format has it, once it is known to be none that costs too much. */
function sourceOf(
  text: string,
  { dialect, included }: ParseOptions,
  limits: Limits,
): { source: string; leftOut: string[] } {
  checkCost(text, limits);
  const given = text.replace(/^\ufeff/, '').toWellFormed();
  if (dialect === undefined) return { source: given, leftOut: [] };
  const { markdown, leftOut } = readDialect(given, dialect, included);
  checkCost(markdown, { ...limits, maxBytes: MOST_GROWTH * limits.maxBytes });
  return { source: markdown, leftOut };
}

/** The tree, with front matter if it is a page. A page may also begin with a rule, and have another further down. */
function pageTree(source: string, page: boolean, limits: Limits): Md {
  const tree = markdownTree(source, page, limits);
  const [first] = tree.children ?? [];
  const isFront =
    first?.type !== 'yaml' || NAMED.test(first.value ?? '') || readFrontMatter(first.value ?? '') !== null;
  return isFront ? tree : markdownTree(source, false, limits);
}

/** A line that names something, as those of front matter do, also where it cannot be read. */
const NAMED = /^[ \t]*[^\s#][^\n]*:(?:\s|$)/m;

/** Front matter that is no YAML map is kept in sight as code. */
function takeFrontMatter(children: Md[]): { frontMatter?: FrontMatter; problem?: string; blocks: Block[] } {
  const [first] = children;
  if (first?.type !== 'yaml') return { blocks: [] };
  children.shift();
  const frontMatter = readFrontMatter(first.value ?? '');
  if (frontMatter) return { frontMatter, blocks: [] };
  const problem = problemOf(first.value ?? '') ?? '';
  return { problem, blocks: [codeBlock((first.value ?? '').split('\n'), { syntax: 'yaml' })] };
}

/** Notes that no text refers to are text all the same: they follow at the end. */
function unusedFootnotes(ctx: ParseContext): Block[] {
  const out: Block[] = [];
  for (const name of ctx.footnotes.keys()) {
    if (ctx.usedFootnotes.has(name)) continue;
    append(
      out,
      (footnoteBody(ctx, name)?.nodes ?? []).filter((node) => node.object === 'block'),
    );
  }
  for (const other of ctx.otherFootnotes) append(out, ctx.blocks(other.children ?? []));
  return out;
}

/**
 * Resolves links as `resolve` does. A link whose target is not found keeps the reference that the previous document has
 * for the same address: the target may come back, and a client that writes back the text that it has read did not
 * remove the link.
 */
function withPreviousReferences(resolve: ResolveLink, previous: RichDocument | undefined): ResolveLink {
  if (previous === undefined) return resolve;
  let references: ReadonlyMap<string, ContentRef> | undefined;
  return (url, use) => {
    const found = resolve(url, use);
    if (found !== null) return found;
    references ??= referencesByAddress(previous);
    return references.get(url) ?? null;
  };
}

function referencesByAddress(document: RichDocument): Map<string, ContentRef> {
  const byAddress = new Map<string, ContentRef>();
  for (const { ref } of links(document)) {
    const address = formatLinkByDefault(ref, 'stable');
    if (ref.kind !== 'url' && typeof address === 'string') byAddress.set(address, ref);
  }
  return byAddress;
}
