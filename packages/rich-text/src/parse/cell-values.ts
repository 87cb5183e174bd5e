import { type Json } from '../model/types.js';
import { type Md } from '../syntax/md.js';
import { all, areSeveral, isOne, type Content } from './cell-content.js';
import { optionOf } from './cell-options.js';
import { referenceOf } from './cell-references.js';
import { type ParseContext } from './context.js';
import { isBox, isChecked } from './elements.js';
import { type ReadColumn } from './table-model.js';

type ReadValue = (content: Content, ctx: ParseContext, column: ReadColumn['column']) => Json | undefined;

/** `007` and `1.50` are more than their number. */
const numberIn: ReadValue = ({ text, nodes }) =>
  nodes.length === 0 && Number.isFinite(Number(text)) && String(Number(text)) === text ? Number(text) : undefined;

/** The values of a list, of which `read` makes null where there is nothing to keep. */
function listIn<T>(content: Content, read: (node: Md) => T | null | undefined): T[] | undefined {
  const values = areSeveral(content) ? all(content.nodes, read)?.filter((value) => value !== null) : [];
  return values?.length ? values : undefined;
}

const oneReference: ReadValue = (content, ctx) =>
  isOne(content) ? listIn(content, (node) => referenceOf(ctx, node))?.[0] : undefined;
/** References, and names of what stands outside of the document. */
const references: ReadValue = (content, ctx, column) =>
  listIn<Json>(content, (node) => optionOf(node, column) ?? referenceOf(ctx, node));

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
  select: (content, _ctx, column) =>
    areSeveral(content) ? all(content.nodes, (node) => optionOf(node, column)) : undefined,
  users: references,
  files: references,
  'content-ref': oneReference,
  image: oneReference,
};

/** The value of a column's type that says all that the cell says; undefined when there is none. */
export const valueIn: ReadValue = (content, ctx, column) => READERS[column.type]?.(content, ctx, column);
