import { existsSync } from 'node:fs';
import { type Findings } from './finding.js';
import { LmdbFile } from './lmdb-file.js';
import { type Entry, LmdbWalk } from './lmdb-walk.js';

export interface LmdbCheck {
  /** How to go on when a page is wrong. */
  readonly remedy: string;
  /** Called for each entry of the trees that are named here. */
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
    for (const [name, tree] of walk.trees()) walk.tree(tree, name, entries[name] ?? ((): void => undefined));
    findings.count('pages', walk.pages);
  } finally {
    file.close();
  }
  return sound;
}

/** The first thing wrong with the meta pages, the length and the branch pages of a file: what a start can afford to look at. */
export function quickCheckLmdb(path: string): { readonly offset: number; readonly what: string } | undefined {
  if (!existsSync(path)) return undefined;
  const file = LmdbFile.open(path);
  if (!(file instanceof LmdbFile)) return file;
  let found: { offset: number; what: string } | undefined;
  const complain = (offset: number, what: string): void => {
    found ??= { offset, what };
  };
  try {
    const walk = new LmdbWalk(file, complain, true);
    for (const [name, tree] of walk.trees()) walk.tree(tree, name, () => undefined);
  } finally {
    file.close();
  }
  return found;
}
