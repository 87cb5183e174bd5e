import { existsSync, statSync } from 'node:fs';
import { type Findings } from './finding.js';
import { LmdbFile } from './lmdb-file.js';
import { type Entry, LmdbWalk } from './lmdb-walk.js';

export interface LmdbCheck {
  /** How to go on when a page is wrong. */
  readonly remedy: string;
  /**
   * The trees that the file must have, in the order in which they are walked, each with what is called for its entries.
   */
  readonly trees: Readonly<Record<string, Entry>>;
}

/**
 * Checks every page of an lmdb file that no process has open: meta pages, length, page heads, bounds, the order of all
 * keys, that no page belongs to two places, and the totals of each tree. lmdb itself trusts its file, so this reads it
 * alone.
 * @returns whether all of it is sound
 */
export function checkLmdb(path: string, findings: Findings, { remedy, trees }: LmdbCheck): boolean {
  if (!existsSync(path)) return true;
  let sound = true;
  const complain = (offset: number, what: string): void => {
    sound = false;
    findings.add({ file: path, offset, what, remedy });
  };
  const file = LmdbFile.open(path);
  if (!(file instanceof LmdbFile)) {
    complain(file.offset, file.what);
    return false;
  }
  try {
    const walk = new LmdbWalk(file, complain);
    walk.freeTree();
    const found = walk.trees(Object.keys(trees));
    for (const [name, entry] of Object.entries(trees)) {
      const tree = found.get(name);
      if (tree !== undefined) walk.tree(tree, name, entry);
    }
    findings.count('pages', walk.pages);
  } finally {
    file.close();
  }
  return sound;
}

/** Whether a value under its key is what was written. */
export type Proof = (key: Buffer, value: Buffer) => boolean;

/** For values without a checksum. */
export const noProof: Proof = () => true;

const WHOLE_BYTES = 64 * 1024 * 1024;

/**
 * What a start can afford to look at: every page of a file up to 64 MiB, of a larger one its length, meta pages and
 * branch pages.
 * @param proofs the trees that the file must have, each with what tells whether a value is what was written
 * @returns the first thing wrong
 */
export function checkAtStart(
  path: string,
  proofs: Readonly<Record<string, Proof>>,
): { readonly offset: number; readonly what: string } | undefined {
  if (!existsSync(path) || statSync(path).size === 0) return undefined;
  const file = LmdbFile.open(path);
  if (!(file instanceof LmdbFile)) return file;
  let found: { offset: number; what: string } | undefined;
  const complain = (offset: number, what: string): void => {
    found ??= { offset, what };
  };
  try {
    const walk = new LmdbWalk(file, complain, file.bytes > WHOLE_BYTES);
    walk.freeTree();
    for (const [name, tree] of walk.trees(Object.keys(proofs))) {
      walk.tree(tree, name, (key, value, offset) => {
        if (proofs[name]?.(key, value) === false) complain(offset, 'a value with a wrong checksum');
      });
    }
  } finally {
    file.close();
  }
  return found;
}
