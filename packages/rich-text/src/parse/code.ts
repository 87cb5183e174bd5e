import { block, compact, fragment, leaf, paragraph, text, voidBlock, voidInline } from '../model/build.js';
import { type Block, type Data, type Inline, type InlineNode } from '../model/types.js';
import { DEFINITIONS, isInlineLevel, shownIn, stringOf, type Attributes, type Md } from '../syntax/md.js';
import { type ParseContext } from './context.js';
import { annotation } from './inline-builder.js';
import { footnoteBody, textOf } from './inlines.js';
import { attributeData } from './props.js';
import { readAttributes } from './tags.js';

const line = (value: string, data: Data = {}): Block => block('code-line', data, [text(value)]);

/** A code block of plain lines. */
export function codeBlock(lines: string[], data: Data): Block {
  return block(
    'code',
    data,
    lines.map((value) => line(value)),
  );
}

/**
 * A fenced or indented code block, titles before it that it has no place for; a language that an integration declares
 * becomes its block.
 */
export function codeFromFence(ctx: ParseContext, node: Md): Block[] {
  const language = node.lang ?? '';
  const owner = ctx.integrations.find((entry) => entry.codeblock === language && language !== '');
  const value = node.value ?? '';
  if (owner) {
    const { props } = attributeData(readAttributes(node.meta ?? ''), []);
    return [
      voidBlock('integration', {
        integration: owner.integration,
        block: owner.block,
        props: { ...props, [owner.body]: value },
      }),
    ];
  }
  const { others, ...data } = infoData(node.meta ?? '');
  return [
    ...others.map((title) => textOf(ctx, title)),
    codeBlock(value.split('\n'), compact({ syntax: language || undefined, ...data })),
  ];
}

const INFO_TITLES = /(?:^|\s)title=(?:"[^"]*"|'[^']*'|[^\s"']+)(?=\s|$)/g;

/**
 * What stands behind the language of a fence: the first title is its own, others stand before it, and the rest is kept
 * as it is.
 */
function infoData(meta: string): { title: string | undefined; others: string[]; info: string | undefined } {
  const titles = (meta.match(INFO_TITLES) ?? []).map((written) => readAttributes(written)['title'] ?? '');
  const [title, ...others] = new Set(titles.filter((each) => each !== ''));
  return { title, others, info: meta.replace(INFO_TITLES, '').trim() || undefined };
}

/** The options that `{% code %}` and `<pre>` share. */
export function codeOptions(read: (name: string) => string | undefined): Data {
  const overflow = read('overflow');
  const lines = read('lineNumbers');
  const count = Number(read('collapsedLineCount'));
  return compact({
    title: read('title') || undefined,
    overflow: overflow === 'wrap' || overflow === 'scroll' ? overflow : undefined,
    lineNumbers: lines === undefined ? undefined : lines !== 'false',
    fullWidth: read('fullWidth') === 'true' ? true : undefined,
    expandable: read('expandable') === 'true' ? true : undefined,
    collapsedLineCount: Number.isInteger(count) && count >= 1 ? count : undefined,
  });
}

const PRE_NAMES: { [name: string]: string } = {
  title: 'data-title',
  overflow: 'data-overflow',
  lineNumbers: 'data-line-numbers',
  fullWidth: 'data-full-width',
  expandable: 'data-expandable',
  collapsedLineCount: 'data-collapsed-line-count',
};

/** `marked`: an empty `<strong>` stands on it, which highlights a line without anything else. */
type Line = { nodes: InlineNode[]; highlighted: boolean; marked: boolean };

const emptyLine = (): Line => ({ nodes: [], highlighted: false, marked: false });

const languageOf = (pre: Attributes, code: Attributes = {}): string | undefined =>
  /\b(?:language|lang)-(\S+)/.exec(`${pre['class'] ?? ''} ${code['class'] ?? ''}`)?.[1];

/** `<pre>` with highlighted lines (`<strong>`), annotations and expressions. */
export function codeFromPre(ctx: ParseContext, node: Md): Block {
  const attributes = node.attributes ?? {};
  const code = (node.children ?? []).find((child) => child.name === 'code' && !isExpression(child));
  const language = languageOf(attributes, code?.attributes);
  const lines: Line[] = [emptyLine()];
  const children = withoutFirstBreak(node.children ?? []);
  for (const child of children) readCode(ctx, child === code ? (child.children ?? []) : [child], lines, false);
  if (lines.length > 1 && lines[lines.length - 1]?.nodes.length === 0) lines.pop();
  const { title, info } = infoData(attributes['data-info'] ?? '');
  const data = compact({ syntax: language, title, info, ...codeOptions((name) => attributes[PRE_NAMES[name] ?? '']) });
  return block('code', data, lines.map(codeLine));
}

/** HTML passes over a line ending directly behind `<pre>`. */
function withoutFirstBreak(nodes: Md[]): Md[] {
  const [first, ...others] = nodes;
  return first?.type === 'text' ? [{ ...first, value: (first.value ?? '').replace(/^\r?\n/, '') }, ...others] : nodes;
}

function codeLine({ nodes, highlighted, marked }: Line): Block {
  const empty = nodes.length === 0;
  return block('code-line', highlighted || (empty && marked) ? { highlighted: true } : {}, empty ? [text('')] : nodes);
}

const isExpression = (node: Md): boolean => (node.attributes?.['class'] ?? '').split(/\s+/).includes('expression');

function readCode(ctx: ParseContext, nodes: Md[], lines: Line[], highlighted: boolean): void {
  for (const node of nodes) {
    if (node.name === 'code' && isExpression(node))
      push(lines, voidInline('expression', { expression: stringOf(node) }), highlighted);
    else if ('data-footnote-ref' in (node.attributes ?? {})) readAnnotation(ctx, node, lines, highlighted);
    else if (node.name === 'strong') readStrong(ctx, node, lines);
    else if (!node.children || shownIn(node).length === 0) addText(stringOf(node), lines, highlighted);
    else if (isInlineLevel(node)) readCode(ctx, node.children, lines, highlighted);
    else if (!DEFINITIONS.has(node.type)) readBlock(ctx, node, lines, highlighted);
  }
}

/** A block among code stands on lines of its own. */
function readBlock(ctx: ParseContext, node: Md, lines: Line[], highlighted: boolean): void {
  const startLine = (): void => {
    if (lines[lines.length - 1]?.nodes.length) lines.push(emptyLine());
  };
  startLine();
  readCode(ctx, shownIn(node), lines, highlighted);
  startLine();
}

function readStrong(ctx: ParseContext, node: Md, lines: Line[]): void {
  const line = lines[lines.length - 1];
  if (line && stringOf(node) === '') line.marked = true;
  readCode(ctx, node.children ?? [], lines, true);
}

function readAnnotation(ctx: ParseContext, node: Md, lines: Line[], highlighted: boolean): void {
  const name = (node.attributes?.['href'] ?? '').replace(/^#(user-content-)?fn-?/, '').toLowerCase();
  const body = footnoteBody(ctx, name);
  if (!body) return addText(stringOf(node), lines, highlighted);
  push(lines, annotation([text(stringOf(node))], [body]), highlighted);
}

function push(lines: Line[], node: Inline, highlighted: boolean): void {
  const last = lines[lines.length - 1];
  last?.nodes.push(node);
  if (last && highlighted) last.highlighted = true;
}

function addText(value: string, lines: Line[], highlighted: boolean): void {
  value.split('\n').forEach((part, index) => {
    if (index > 0) lines.push(emptyLine());
    const current = lines[lines.length - 1];
    if (!current || part === '') return;
    if (highlighted) current.highlighted = true;
    const last = current.nodes[current.nodes.length - 1];
    const end = last?.object === 'text' ? last.leaves[0] : undefined;
    if (end) end.text += part;
    else current.nodes.push({ object: 'text', leaves: [leaf(part)] });
  });
}

/** A caption fragment around one line of text. */
export const captionOf = (nodes: InlineNode[]): ReturnType<typeof fragment> => fragment('caption', [paragraph(nodes)]);
