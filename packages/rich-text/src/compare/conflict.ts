import { type Block } from '../model/types.js';

/**
 * What the two sides cannot both have. `edit`: both changed the same words or properties; `delete`: one side deleted
 * what the other changed (it is kept); `move`: both moved a block, to different places; `order`: both reordered the
 * same siblings. `ours` and `theirs` are the block as each side has it, null where it is deleted; for `order` the block
 * that holds the siblings (null, and the key empty, for the document), and in `orders` the keys of the siblings as each
 * side has them.
 */
export type MergeConflict = {
  kind: 'edit' | 'delete' | 'move' | 'order';
  key: string;
  base: Block | null;
  ours: Block | null;
  theirs: Block | null;
  orders?: { base: readonly string[]; ours: readonly string[]; theirs: readonly string[] };
};
