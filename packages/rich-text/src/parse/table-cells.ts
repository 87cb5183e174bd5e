import { type Block } from '../model/types.js';
import { mdText, type Md } from '../syntax/md.js';
import { contentOf, isEmpty, nested } from './cell-content.js';
import { valueIn } from './cell-values.js';
import { type ParseContext } from './context.js';
import { isBox, isChecked } from './elements.js';
import { type ReadCell, type ReadColumn } from './table-model.js';

type Column = ReadColumn['column'];

/**
 * One cell of an HTML table by the type of its column. A cell that says more than a value of that type can hold is kept
 * as text, as if its column were one of text: so its words, marks and links stay. It is written with
 * `data-type="text"`, and read so again.
 */
export function cellOf(ctx: ParseContext, cell: Md | undefined, column: Column): ReadCell {
  if (!cell) return column.type === 'text' ? [] : { value: undefined };
  if (column.type === 'text' || cell.attributes?.['data-type'] === 'text') return ctx.blocks(cell.children ?? []);
  const content = contentOf(cell);
  const value = isEmpty(content) ? undefined : valueIn(content, ctx, column);
  return isEmpty(content) || value !== undefined ? { value } : asText(ctx, cell, column);
}

/** A cell that is no value of its column: as a string where that says it all, otherwise as blocks. */
function asText(ctx: ParseContext, cell: Md, column: Column): ReadCell {
  const blocks = ctx.blocks((column.type === 'checkbox' ? withBoxesAsText(cell) : cell).children ?? []);
  const text = plainText(blocks);
  return text === undefined ? blocks : { value: text === '' ? undefined : text };
}

/** The text of blocks that are nothing but one line of plain text. */
function plainText(blocks: Block[]): string | undefined {
  const [only, ...others] = blocks;
  if (!only) return '';
  if (others.length > 0 || only.type !== 'paragraph' || Object.keys(only.data).length > 0) return undefined;
  const leaves = (only.nodes ?? []).flatMap((node) => (node.object === 'text' ? node.leaves : [undefined]));
  const [leaf, ...more] = leaves;
  return leaf && more.length === 0 && leaf.marks.length === 0 && !leaf.text.includes('\n')
    ? leaf.text.trim()
    : undefined;
}

/** Boxes among text, as the words that such a cell holds otherwise. Those of list items are read with their list. */
function withBoxesAsText(node: Md): Md {
  if (isBox(node)) return mdText(String(isChecked(node)));
  return node.name === 'li' || !node.children ? node : { ...node, children: nested(node).map(withBoxesAsText) };
}
