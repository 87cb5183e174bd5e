import { type TargetUse } from '../model/refs.js';
import { optionLabel, optionsOf } from '../model/table.js';
import { type Block, type ContentRef, type Json } from '../model/types.js';
import { refOf, type ParseContext } from './context.js';
import { isBox, isChecked, lineOf, nestElements } from './elements.js';
import { targetOf } from './inlines.js';
import { mdText, type Md } from './md.js';
import { type ReadCell, type ReadColumn } from './table-model.js';

type Column = ReadColumn['column'];

/** What a cell says: its text on one line, and what stands among the text (links, images, boxes, options, notes, lists, …). */
type Content = { text: string; nodes: Md[] };

const names = (list: string): Set<string> => new Set(list.split(' '));
/** The type of a node, or the tag of an element. */
const nameOf = (node: Md): string => (node.type === 'element' ? `<${node.name ?? ''}>` : node.type);

/** What says how text looks, or holds a line of it. */
const TRANSPARENT = names('paragraph emphasis strong delete <p> <div> <span> <b> <strong> <i> <em> <s> <del> <strike> <u> <ins> <small> <big> <font> <mark> <sub> <sup> <kbd> <code>');
const LINES = names('paragraph <p> <div>');
const TEXT = names('text break emoji inlineCode <br>');
const PICTURES = names('image imageReference <img>');
const LINKS = names('link linkReference <a>');
/** What may stand between the values of one cell. */
const SEPARATORS = /^[\s,;]*$/;

const nested = (node: Md): Md[] => nestElements(node.children ?? [], node.type !== 'element');

/** Spans, italics and code that the format uses for something else than text. */
function isOther({ attributes = {} }: Md): boolean {
  return ['data-option', 'data-tag', 'data-footnote'].some((name) => name in attributes) || /\bfa-|\bexpression\b/.test(attributes['class'] ?? '');
}

function contentOf(node: Md): Content {
  const text: Md[] = [];
  const nodes: Md[] = [];
  const visit = (child: Md): void => {
    const name = nameOf(child);
    if (TEXT.has(name)) text.push(child);
    else if (!TRANSPARENT.has(name) || isOther(child)) nodes.push(child);
    else {
      const space = LINES.has(name) ? [mdText(' ')] : [];
      text.push(...space);
      nested(child).forEach(visit);
      text.push(...space);
    }
  };
  nested(node).forEach(visit);
  return { text: lineOf(text), nodes };
}

/**
 * One cell of an HTML table by the type of its column. A cell that says more than a value of that type can hold is kept as text, as if
 * its column were one of text: so its words, marks and links stay. It is written with `data-type="text"`, and read so again.
 */
export function cellOf(ctx: ParseContext, cell: Md | undefined, column: Column): ReadCell {
  if (!cell) return column.type === 'text' ? [] : { value: undefined };
  if (column.type === 'text' || cell.attributes?.['data-type'] === 'text') return ctx.blocks(cell.children ?? []);
  const content = contentOf(cell);
  const value = isEmpty(content) ? undefined : READERS[column.type]?.(content, ctx, column);
  return isEmpty(content) || value !== undefined ? { value } : asText(ctx, cell, column);
}

const isEmpty = ({ text, nodes }: Content): boolean => nodes.length === 0 && text === '';

/** A cell that is no value of its column: as a string where that says it all, otherwise as blocks. */
function asText(ctx: ParseContext, cell: Md, column: Column): ReadCell {
  const blocks = ctx.blocks((column.type === 'checkbox' ? withBoxesAsText(cell) : cell).children ?? []);
  const text = plainText(blocks);
  return text === undefined ? blocks : { value: text === '' ? undefined : text };
}

type ReadValue = (content: Content, ctx: ParseContext, column: Column) => Json | undefined;

/** `007` and `1.50` are more than their number. */
const numberIn: ReadValue = ({ text, nodes }) => (nodes.length === 0 && Number.isFinite(Number(text)) && String(Number(text)) === text ? Number(text) : undefined);
const isOne = ({ text, nodes }: Content): boolean => nodes.length === 1 && text === '';
const areSeveral = ({ text, nodes }: Content): boolean => nodes.length > 0 && SEPARATORS.test(text);

/** The values of a list, of which `read` makes null where there is nothing to keep. */
function listIn<T>(content: Content, read: (node: Md) => T | null | undefined): T[] | undefined {
  const values = areSeveral(content) ? all(content.nodes, read)?.filter((value) => value !== null) : [];
  return values?.length ? values : undefined;
}

const oneReference: ReadValue = (content, ctx) => (isOne(content) ? listIn(content, (node) => referenceOf(ctx, node))?.[0] : undefined);
/** References, and names of what stands outside of the document. */
const references: ReadValue = (content, ctx, column) => listIn<Json>(content, (node) => optionOf(node, column) ?? referenceOf(ctx, node));

function checkIn(content: Content): boolean | undefined {
  const [only] = content.nodes;
  if (isOne(content) && only && isBox(only)) return isChecked(only);
  return only || !['true', 'false'].includes(content.text) ? undefined : content.text === 'true';
}

/** By the type of the column: the value that says all the cell says; undefined when there is none. */
const READERS: { [type: string]: ReadValue } = {
  number: numberIn,
  rating: numberIn,
  checkbox: checkIn,
  select: (content, _ctx, column) => (areSeveral(content) ? all(content.nodes, (node) => optionOf(node, column)) : undefined),
  users: references,
  files: references,
  'content-ref': oneReference,
  image: oneReference,
};

/** What `read` makes of all nodes; undefined when there is one of which it makes nothing. */
function all<T>(nodes: Md[], read: (node: Md) => T | undefined): T[] | undefined {
  const out = nodes.map(read);
  return out.every((item) => item !== undefined) ? out : undefined;
}

/** The value and the text of an option in a cell; the text of one among several may end in the comma that parts them. */
function chosen(node: Md): { value: string; label: string } | undefined {
  const value = node.attributes?.['data-option'];
  const { text, nodes } = contentOf(node);
  return value === undefined || nodes.length > 0 ? undefined : { value, label: text.replace(/\s*,$/, '') };
}

/** The value of an option whose text is what the column calls it. */
function optionOf(node: Md, column: Column): string | undefined {
  const option = chosen(node);
  if (!option || option.label === '') return option?.value;
  return option.label === (optionLabel(column, option.value) ?? option.value) ? option.value : undefined;
}

/** The column with the options that its cells choose and it does not list: their texts stand nowhere else. */
export function withChosenOptions(read: ReadColumn, cells: Array<Md | undefined>): ReadColumn {
  if (read.column.type !== 'select') return read;
  const options = optionsOf(read.column);
  const listed = new Set(options.map((option) => option['value']));
  for (const cell of cells) {
    const { text, nodes } = cell ? contentOf(cell) : { text: '', nodes: [] };
    for (const { value, label } of (SEPARATORS.test(text) && all(nodes, chosen)) || []) {
      if (label === '' || label === value || listed.has(value)) continue;
      listed.add(value);
      options.push({ value, label });
    }
  }
  return { ...read, column: { ...read.column, options } };
}

/** Links that are something else in this format. */
const isButtonOrNote = ({ attributes = {} }: Md): boolean => /\bbutton\b/.test(attributes['class'] ?? '') || 'data-footnote-ref' in attributes;

/** The parts of a link or an image; undefined for what is neither, or has parts that no reference holds. */
function linkIn(ctx: ParseContext, node: Md): { url: string | undefined; use: TargetUse; label: string } | undefined {
  const picture = PICTURES.has(nameOf(node));
  if (!picture && (!LINKS.has(nameOf(node)) || isButtonOrNote(node))) return undefined;
  const { attributes = {} } = node;
  const { url = attributes[picture ? 'src' : 'href'], title = attributes['title'] } = targetOf(ctx, node);
  const mention = title === 'mention' || 'data-mention' in attributes;
  if (title && !mention) return undefined;
  if (picture) return { url, use: 'image', label: lineOf([node]) };
  const { text, nodes } = contentOf(node);
  return nodes.length > 0 ? undefined : { url, use: mention ? 'mention' : 'link', label: text };
}

/**
 * What a link or an image points at, with a label that is not the URL itself as its `title`. Null when it says nothing at all, undefined
 * when it says more than that.
 */
function referenceOf(ctx: ParseContext, node: Md): ContentRef | null | undefined {
  const link = linkIn(ctx, node);
  if (!link) return undefined;
  const { url, use, label } = link;
  const ref = refOf(ctx, url, use);
  if (!ref) return label === '' ? null : { kind: 'unresolved', title: label };
  return label === '' || label === url ? ref : { ...ref, title: label };
}

/** The text of blocks that are nothing but one line of plain text. */
function plainText(blocks: Block[]): string | undefined {
  const [only, ...others] = blocks;
  if (!only) return '';
  if (others.length > 0 || only.type !== 'paragraph' || Object.keys(only.data).length > 0) return undefined;
  const leaves = (only.nodes ?? []).flatMap((node) => (node.object === 'text' ? node.leaves : [undefined]));
  const [leaf, ...more] = leaves;
  return leaf && more.length === 0 && leaf.marks.length === 0 && !leaf.text.includes('\n') ? leaf.text.trim() : undefined;
}

/** Boxes among text, as the words that such a cell holds otherwise. Those of list items are read with their list. */
function withBoxesAsText(node: Md): Md {
  if (isBox(node)) return mdText(String(isChecked(node)));
  return node.name === 'li' || !node.children ? node : { ...node, children: nested(node).map(withBoxesAsText) };
}
