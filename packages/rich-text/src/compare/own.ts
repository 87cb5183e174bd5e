import { APART } from '../model/canonical.js';
import { sameJson } from '../model/same.js';
import { type Block, type Data, type Node } from '../model/types.js';
import { inlineText } from '../text/plain-text.js';
import { mergeJson } from './json-merge.js';
import { mergeTable, sameTable, type MergeDocuments } from './own-table.js';
import { inlinesIn } from './tree-index.js';
import { mergeWords } from './words.js';
import { type Work } from './work.js';

/** True if two blocks are equal apart from the blocks inside them. */
export function sameOwn(a: Block, b: Block): boolean {
  if (a === b) return true;
  if (a.type !== b.type) return false;
  const sameData = a.type === 'table' ? sameTable(a, b, APART) : sameJson(a.data, b.data, APART);
  return sameData && sameJson(inlinesIn(a.nodes), inlinesIn(b.nodes), APART);
}

export type OwnMerge = { block: Block; conflict: boolean };
/**
 * Three-way merge of a block without the blocks inside it: its type, its data, its text by words, and its cells as
 * small documents. If both changed the same property, ours stays. If one side removed a row or a property that the
 * other changed, the changed one stays. If both changed the type, our block stays.
 */
export function mergeOwn(
  base: Block | undefined,
  ours: Block,
  theirs: Block,
  work: Work,
  mergeDocuments: MergeDocuments,
): OwnMerge {
  if (sameOwn(ours, theirs) || (base && sameOwn(base, theirs))) return { block: ours, conflict: false };
  if (base && sameOwn(base, ours)) return { block: theirs, conflict: false };
  const type = mergeJson(base?.type, ours.type, theirs.type);
  if (type.conflict) return { block: ours, conflict: true };
  const { conflict, ...said } =
    ours.type === 'table' && theirs.type === 'table'
      ? mergeTable(base, ours, theirs, mergeDocuments)
      : mergeData(base, ours, theirs);
  const text = mergeText(base, ours, theirs, work);
  const block = { ...ours, type: typeof type.value === 'string' ? type.value : ours.type, ...said };
  return { block: text ? { ...block, nodes: text } : block, conflict: conflict || text === null };
}

function mergeData(base: Block | undefined, ours: Block, theirs: Block): { data: Data; conflict: boolean } {
  const { value, conflict } = mergeJson(base?.data, ours.data, theirs.data);
  return { data: (value ?? {}) as Data, conflict };
}

const allDiffer = (texts: string[]): boolean => new Set(texts).size === texts.length;

/**
 * The merged inline nodes. Undefined if neither side has any; null if both changed the same words, or the same line of
 * code.
 */
function mergeText(base: Block | undefined, ours: Block, theirs: Block, work: Work): Node[] | undefined | null {
  const [mine, other] = [inlinesIn(ours.nodes), inlinesIn(theirs.nodes)];
  if (mine.length === 0 && other.length === 0) return undefined;
  const was = inlinesIn(base?.nodes);
  if (ours.type === 'code-line' && allDiffer([was, mine, other].map(inlineText))) return null;
  return mergeWords(was, mine, other, work);
}
