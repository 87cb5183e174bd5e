import { append } from '../model/append.js';
import { MARK_ORDER } from '../model/marks.js';
import { type Data, type InlineNode, type Leaf, type Mark } from '../model/types.js';
import { readableAttention } from './attention.js';
import { UNSAID } from './attributes.js';
import { html, str, type WriteContext } from './context.js';
import { emojiParts, maybeEmoji } from '../syntax/emoji.js';
import { type Md } from '../syntax/md.js';
import { emoji, writeInline } from './inline-nodes.js';

/** A run of text with its marks, or an inline already written. */
type Item = { text: string; marks: Mark[]; md?: Md[] };

const TAGS: { [type: string]: string } = { keyboard: 'kbd', superscript: 'sup', subscript: 'sub' };
/** All marks as elements. */
const ELEMENTS: { [type: string]: string } = { ...TAGS, strikethrough: 'del', italic: 'em', bold: 'strong' };
const NODES: { [type: string]: string } = { strikethrough: 'delete', italic: 'emphasis', bold: 'strong' };

/**
 * Inline nodes to phrasing. `inHtml` keeps to what can be written inside an HTML element; `plainEmoji` to what can be
 * read inside an inline that holds text only.
 */
export function phrasing(ctx: WriteContext, nodes: readonly InlineNode[], inHtml = false, plainEmoji = false): Md[] {
  const items: Item[] = [];
  nodes.forEach((node, index) => {
    if (node.object === 'text') {
      for (const leaf of node.leaves)
        append(
          items,
          (plainEmoji ? [leaf] : withEmoji(leaf)).filter(({ text, md }: Item) => md ?? text !== ''),
        );
    } else {
      const alone = nodes.every((other) => other === node || isBlank(other));
      items.push({
        text: '',
        marks: [],
        md: writeInline(ctx, node, { inHtml, before: nodes[index - 1], after: nodes[index + 1], alone }, phrasing),
      });
    }
  });
  // Next to emphasis characters may have to be written as references.
  const tags = items.some((item) => UNSAID.test(item.text)) ? ELEMENTS : TAGS;
  return readableAttention(protectEnds(joined(group(items, 0, tags))));
}

/** Emoji among text are read as inlines of their own, so they are written as such. */
function withEmoji(leaf: Leaf): Item[] {
  if (!maybeEmoji(leaf.text) || isCode(leaf)) return [leaf];
  return emojiParts(leaf.text).map((part) =>
    'text' in part ? { text: part.text, marks: leaf.marks } : { text: '', marks: [], md: [emoji(part.code)] },
  );
}

const isBlank = (node: InlineNode): boolean =>
  node.object === 'text' && node.leaves.every((leaf) => leaf.text.trim() === '');

const markOf = (item: Item, type: string): Mark | undefined =>
  item.md ? undefined : item.marks.find((mark) => mark.type === type);

function group(items: Item[], level: number, tags: typeof TAGS): Md[] {
  const type = MARK_ORDER[level];
  if (type === undefined) return items.flatMap((item) => item.md ?? plain(item.text));
  const out: Md[] = [];
  for (let i = 0; i < items.length;) {
    const first = items[i] as Item;
    const mark = markOf(first, type);
    let end = i + 1;
    while (end < items.length && same(mark, markOf(items[end] as Item, type))) end++;
    const run = items.slice(i, end);
    append(out, mark ? marked(run, mark, level, tags) : group(run, level + 1, tags));
    i = end;
  }
  return out;
}

/** The nodes with texts that touch made one: how a text is escaped depends on what follows in it. */
function joined(nodes: Md[]): Md[] {
  const out: Md[] = [];
  for (const node of nodes) {
    const last = out[out.length - 1];
    if (node.type === 'text' && last?.type === 'text')
      out[out.length - 1] = { ...last, value: (last.value ?? '') + (node.value ?? '') };
    else out.push(node);
  }
  return out;
}

function same(a: Mark | undefined, b: Mark | undefined): boolean {
  if (!a || !b) return a === b;
  return a.data === b.data || JSON.stringify(a.data) === JSON.stringify(b.data);
}

function marked(run: Item[], mark: Mark, level: number, tags: typeof TAGS): Md[] {
  if (mark.type === 'code') {
    const value = run
      .map((item) => item.text)
      .join('')
      .replace(/\r\n?|\n/g, ' ');
    return [{ type: 'inlineCode', value }];
  }
  const element = tags[mark.type];
  const inside = (items: Item[]): Md[] => group(items, level + 1, tags);
  if (element) return [html(`<${element}>`), ...inside(run), html(`</${element}>`)];
  if (mark.type === 'color')
    return [html(`<mark style="${colorStyle(mark.data ?? {})}">`), ...inside(run), html('</mark>')];
  // Markdown wants emphasis to touch the words, so white space at the ends goes outside.
  const { lead, core, trail } = peel(run);
  const inner = joined(inside(core));
  return [
    ...inside(lead),
    ...(inner.length > 0 ? [{ type: NODES[mark.type] ?? 'strong', children: inner }] : []),
    ...inside(trail),
  ];
}

const colorStyle = (data: Data): string =>
  `color:${str(data['text']) || 'default'};background-color:${str(data['background']) || 'default'};`;

const isCode = (item: Pick<Item, 'marks'>): boolean => item.marks.some((mark) => mark.type === 'code');

function peel(run: Item[]): { lead: Item[]; core: Item[]; trail: Item[] } {
  const lead: Item[] = [];
  const trail: Item[] = [];
  const core = [...run];
  for (let first = core[0]; first && !isCode(first); first = core[0]) {
    const space = /^\s+/.exec(first.text)?.[0] ?? '';
    if (space === '') break;
    lead.push({ ...first, text: space });
    if (space.length === first.text.length) core.shift();
    else core[0] = { ...first, text: first.text.slice(space.length) };
  }
  for (let last = core[core.length - 1]; last && !isCode(last); last = core[core.length - 1]) {
    const kept = last.text.trimEnd();
    if (kept.length === last.text.length) break;
    trail.unshift({ ...last, text: last.text.slice(kept.length) });
    if (kept === '') core.pop();
    else core[core.length - 1] = { ...last, text: kept };
  }
  return { lead, core, trail };
}

function plain(value: string): Md[] {
  const out: Md[] = [];
  value.split(/\r\n?|\n/).forEach((part, index) => {
    if (index > 0) out.push({ type: 'break' });
    if (part !== '') out.push({ type: 'text', value: part });
  });
  return out;
}

/** Phrasing for a place that has one line: breaks are elements. */
export function onOneLine(nodes: Md[]): Md[] {
  return nodes.map((node) =>
    node.type === 'break' ? html('<br>') : node.children ? { ...node, children: onOneLine(node.children) } : node,
  );
}

/** A backslash break needs text on both sides, which does not begin with a space; elsewhere a break is an element. */
function protectEnds(nodes: Md[]): Md[] {
  return nodes.map((node, i) => {
    if (node.children) return { ...node, children: protectEnds(node.children) };
    if (node.type !== 'break') return node;
    const before = nodes[i - 1];
    const after = nodes[i + 1];
    const between = before?.type === 'text' && after?.type === 'text' && !/^\s/.test(after.value ?? '');
    return between ? node : html('<br>');
  });
}
