import { existsSync, statSync } from 'node:fs';
import { type Findings } from './finding.js';
import { LmdbFile } from './lmdb-file.js';
import { type Entry, LmdbWalk } from './lmdb-walk.js';

export interface LmdbCheck {
  /** How to go on when a page is wrong. */
  readonly remedy: string;
  /** What is called for each entry of a tree, by the tree's name; these trees are walked first, in this order. */
  readonly entries?: Readonly<Record<string, Entry>>;
}

/**
 * Checks every page of an lmdb file that no process has open: meta pages, length, page heads, bounds, the order of all
 * keys, that no page belongs to two places, and the totals of each tree. lmdb itself trusts its file, so this reads it alone.
 * @returns whether all of it is sound
 */
export function checkLmdb(path: string, findings: Findings, { remedy, entries = {} }: LmdbCheck): boolean {
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
    const trees = walk.trees();
    for (const name of new Set([...Object.keys(entries), ...trees.keys()])) {
      const tree = trees.get(name);
      if (tree !== undefined) walk.tree(tree, name, entries[name] ?? ((): void => undefined));
    }
    findings.count('pages', walk.pages);
  } finally {
    file.close();
  }
  return sound;
}

/** Whether a value under its key is what was written. */
export type Proof = (key: Buffer, value: Buffer) => boolean;

const WHOLE_BYTES = 64 * 1024 * 1024;

/**
 * What a start can afford to look at: every page of a file up to 64 MiB, of a larger one its length, meta pages and branch pages.
 * @param proofs by the tree's name, for trees whose values carry a checksum
 * @returns the first thing wrong
 */
export function checkAtStart(path: string, proofs: Readonly<Record<string, Proof>> = {}): { readonly offset: number; readonly what: string } | undefined {
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
    for (const [name, tree] of walk.trees()) {
      const isWhole = proofs[name] ?? ((): boolean => true);
      walk.tree(tree, name, (key, value, offset) => { if (!isWhole(key, value)) complain(offset, 'a value with a wrong checksum'); });
    }
  } finally {
    file.close();
  }
  return found;
}
