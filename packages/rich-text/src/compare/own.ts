import { APART } from '../model/canonical.js';
import { fragmentRule } from '../model/content.js';
import { isObject } from '../model/json.js';
import { keysFrom } from '../model/keys.js';
import { filled } from '../model/repair.js';
import { sameJson } from '../model/same.js';
import { type Block, type Data, type Fragment, type Json, type Node, type RichDocument } from '../model/types.js';
import { inlineText } from '../text/plain-text.js';
import { mergeJson, type MergeSpecial } from './json-merge.js';
import { blocksIn, inlinesIn } from './tree-index.js';
import { mergeWords, type Work } from './words.js';

const CELL = '\u0000cell';

/** The cells of a table put where their records name them, so that a record and its text are one value. */
function withCells(block: Block): Data {
  const { records } = block.data;
  if (!isObject(records)) return block.data;
  const cells = new Map((block.fragments ?? []).map((part) => [part.fragment ?? '', part]));
  const inlined = Object.entries(records).map(([id, record]): [string, Json | undefined] => {
    if (!isObject(record) || !isObject(record['values'])) return [id, record];
    const values = Object.entries(record['values']).map(([column, value]): [string, Json | undefined] => {
      const part = typeof value === 'string' ? cells.get(value) : undefined;
      return [column, part ? { [CELL]: part as unknown as Json } : value];
    });
    return [id, { ...record, values: Object.fromEntries(values) }];
  });
  return { ...block.data, records: Object.fromEntries(inlined) };
}

function withoutCells(data: Data): { data: Data; fragments: Fragment[] } {
  const fragments: Fragment[] = [];
  const { records } = data;
  if (!isObject(records)) return { data, fragments };
  const outlined = Object.entries(records).map(([id, record]): [string, Json | undefined] => {
    if (!isObject(record) || !isObject(record['values'])) return [id, record];
    const values = Object.entries(record['values']).map(([column, value]): [string, Json | undefined] => {
      if (!isObject(value) || value[CELL] === undefined) return [column, value];
      const part = value[CELL] as unknown as Fragment;
      fragments.push(part);
      return [column, part.fragment];
    });
    return [id, { ...record, values: Object.fromEntries(values) }];
  });
  return { data: { ...data, records: Object.fromEntries(outlined) }, fragments };
}

/** True when two blocks say the same themselves, the blocks inside them left aside. */
export function sameOwn(a: Block, b: Block): boolean {
  if (a === b) return true;
  if (a.type !== b.type) return false;
  const [dataA, dataB] = a.type === 'table' ? [withCells(a), withCells(b)] : [a.data, b.data];
  return sameJson(dataA, dataB, APART) && sameJson(inlinesIn(a.nodes), inlinesIn(b.nodes), APART);
}

export type OwnMerge = { block: Block; conflict: boolean };
type MergeDocuments = (base: RichDocument, ours: RichDocument, theirs: RichDocument) => { document: RichDocument; conflicts: unknown[] };

const documentOf = (nodes: Node[]): RichDocument => ({ object: 'document', data: {}, nodes: blocksIn(nodes) });

/** Cells merge as small documents; a conflict inside is one of the table. */
const cellMerge =
  (mergeDocuments: MergeDocuments): MergeSpecial =>
  (before, mine, other) => {
    if (!isObject(mine) || !isObject(other) || mine[CELL] === undefined || other[CELL] === undefined) return undefined;
    const was = isObject(before) ? (before[CELL] as unknown as Fragment | undefined) : undefined;
    const [is, will] = [mine[CELL], other[CELL]] as unknown as [Fragment, Fragment];
    const merged = mergeDocuments(documentOf(was?.nodes ?? []), documentOf(is.nodes), documentOf(will.nodes));
    return merged.conflicts.length > 0 ? null : { [CELL]: withNodes(is, merged.document.nodes) as unknown as Json };
  };

/** A cell with other blocks, filled where none is left. */
function withNodes(cell: Fragment, nodes: Node[]): Fragment {
  const rule = fragmentRule('table', cell.fragment);
  return { ...cell, nodes: rule ? filled(nodes, rule, keysFrom(cell.fragment ?? '')) : nodes };
}

/**
 * Three-way merge of what a block says itself: its type, its data, its text by words, its cells each as a small document. Where both
 * changed the same property, ours stays; of a row or a property that one side removed, what the other made of it; of two types, our block.
 */
export function mergeOwn(base: Block | undefined, ours: Block, theirs: Block, work: Work, mergeDocuments: MergeDocuments): OwnMerge {
  if (sameOwn(ours, theirs) || (base && sameOwn(base, theirs))) return { block: ours, conflict: false };
  if (base && sameOwn(base, ours)) return { block: theirs, conflict: false };
  const type = mergeJson(base?.type, ours.type, theirs.type);
  if (type.conflict) return { block: ours, conflict: true };
  const table = ours.type === 'table' && theirs.type === 'table';
  const dataOf = (block: Block | undefined): Data | undefined => (block && table ? withCells(block) : block?.data);
  const data = mergeJson(dataOf(base), dataOf(ours), dataOf(theirs), cellMerge(mergeDocuments));
  const text = mergeText(base, ours, theirs, work);
  const value = (data.value ?? {}) as Data;
  const block = { ...ours, type: typeof type.value === 'string' ? type.value : ours.type, ...(table ? withoutCells(value) : { data: value }) };
  return { block: text ? { ...block, nodes: text } : block, conflict: data.conflict || text === null };
}

const allDiffer = (texts: string[]): boolean => new Set(texts).size === texts.length;

/** Merged inline nodes; undefined when there are none on either side, null when the same words changed, or one line of code. */
function mergeText(base: Block | undefined, ours: Block, theirs: Block, work: Work): Node[] | undefined | null {
  const [mine, other] = [inlinesIn(ours.nodes), inlinesIn(theirs.nodes)];
  if (mine.length === 0 && other.length === 0) return undefined;
  const was = inlinesIn(base?.nodes);
  if (ours.type === 'code-line' && allDiffer([was, mine, other].map(inlineText))) return null;
  return mergeWords(was, mine, other, work);
}
