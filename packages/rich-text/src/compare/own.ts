import { APART } from '../model/canonical.js';
import { sameJson } from '../model/same.js';
import { type Block, type Data, type Node } from '../model/types.js';
import { inlineText } from '../text/plain-text.js';
import { mergeJson } from './json-merge.js';
import { mergeTable, sameTable, type MergeDocuments } from './own-table.js';
import { inlinesIn } from './tree-index.js';
import { mergeWords } from './words.js';
import { type Work } from './work.js';

/** True when two blocks say the same themselves, the blocks inside them left aside. */
export function sameOwn(a: Block, b: Block): boolean {
  if (a === b) return true;
  if (a.type !== b.type) return false;
  const sameData = a.type === 'table' ? sameTable(a, b, APART) : sameJson(a.data, b.data, APART);
  return sameData && sameJson(inlinesIn(a.nodes), inlinesIn(b.nodes), APART);
}

export type OwnMerge = { block: Block; conflict: boolean };
/**
 * Three-way merge of what a block says itself: its type, its data, its text by words, its cells each as a small
 * document. Where both changed the same property, ours stays; of a row or a property that one side removed, what the
 * other made of it; of two types, our block.
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
 * Merged inline nodes; undefined when there are none on either side, null when the same words changed, or one line of
 * code.
 */
function mergeText(base: Block | undefined, ours: Block, theirs: Block, work: Work): Node[] | undefined | null {
  const [mine, other] = [inlinesIn(ours.nodes), inlinesIn(theirs.nodes)];
  if (mine.length === 0 && other.length === 0) return undefined;
  const was = inlinesIn(base?.nodes);
  if (ours.type === 'code-line' && allDiffer([was, mine, other].map(inlineText))) return null;
  return mergeWords(was, mine, other, work);
}
