import { type Block, type RichDocument } from '../model/types.js';
import { inlineText } from '../text/plain-text.js';
import { tableChanges, type TableChanges } from './diff-table.js';
import { longestIncreasing } from './order.js';
import { sameOwn } from './own.js';
import { indexTree, inlinesIn, ownerOf, shownPlace, type Entry, type TreeIndex } from './tree-index.js';
import { diffWords, type WordChange } from './words.js';
import { newWork, type Work } from './work.js';

/**
 * One difference. `parent` is the place after the change (before it for `removed`): '' the document, a key the children
 * of that block, `key#name` a fragment. A block that was moved and changed is reported twice. The content of an added
 * or removed block is not reported again block by block. Of a table it says which rows and columns changed.
 */
export type Change =
  | { kind: 'added'; key: string; parent: string; index: number; after: Block }
  | { kind: 'removed'; key: string; parent: string; index: number; before: Block }
  | { kind: 'moved'; key: string; parent: string; index: number; from: { parent: string; index: number } }
  | ({
      kind: 'changed';
      key: string;
      parent: string;
      index: number;
      before: Block;
      after: Block;
      words?: WordChange[];
    } & Partial<TableChanges>);

/** What changed between two documents whose blocks are matched by key, in the order of `after`, removals last. */
export function diff(before: RichDocument, after: RichDocument): Change[] {
  const [old, now] = [indexTree(before), indexTree(after)];
  const moved = movedKeys(old, now);
  const work = newWork();
  const out: Change[] = [];
  for (const entry of now.entries.values()) {
    const { key, parent, index } = told(entry);
    const was = old.entries.get(key);
    if (!was) {
      if (isTop(entry, old)) out.push({ kind: 'added', key, parent, index, after: entry.block });
      continue;
    }
    if (moved.has(key))
      out.push({ kind: 'moved', key, parent, index, from: { parent: shownPlace(was.parent), index: was.index } });
    const change = changed(was, entry, work);
    if (change) out.push(change);
  }
  for (const entry of old.entries.values()) {
    const { key, parent, index } = told(entry);
    if (!now.entries.has(key) && isTop(entry, now))
      out.push({ kind: 'removed', key, parent, index, before: entry.block });
  }
  return out;
}

/** Where a block stands, as a change says it. */
const told = ({ key, parent, index }: Entry): Pick<Change, 'key' | 'parent' | 'index'> => ({
  key,
  parent: shownPlace(parent),
  index,
});

/**
 * True if the container of the block is in the other document as well. Otherwise the change is reported for the
 * container.
 */
function isTop(entry: Entry, other: TreeIndex): boolean {
  const owner = ownerOf(entry.parent);
  return owner === '' || other.entries.has(owner);
}

/** Blocks that have another place, and blocks that moved among siblings that kept their order. */
function movedKeys(old: TreeIndex, now: TreeIndex): Set<string> {
  const out = new Set<string>();
  for (const [place, keys] of now.children) {
    const stayed = keys.filter((key) => {
      const was = old.entries.get(key);
      if (was && was.parent !== place) out.add(key);
      return was?.parent === place;
    });
    const kept = longestIncreasing(stayed.map((key) => old.entries.get(key)?.index ?? 0));
    stayed.forEach((key, i) => {
      if (!kept.has(i)) out.add(key);
    });
  }
  return out;
}

function changed(was: Entry, entry: Entry, work: Work): Change | null {
  const [before, after] = [was.block, entry.block];
  if (sameOwn(before, after)) return null;
  const [a, b] = [inlineText(inlinesIn(before.nodes)), inlineText(inlinesIn(after.nodes))];
  return {
    kind: 'changed',
    ...told(entry),
    before,
    after,
    ...(a !== b && { words: diffWords(a, b, work) }),
    ...(before.type === 'table' && after.type === 'table' && tableChanges(before, after)),
  };
}
