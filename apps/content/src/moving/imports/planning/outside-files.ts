import { pathFrom, type Files } from '../folder.js';
import { includedBytes } from '../included.js';
import type { PlannedFile, PlannedItem } from '../item.js';

/** Files of a book that stand outside of the folder of its pages, and that these can show: they are not too long. */
export function outsideFiles(all: Files, root: string, items: readonly PlannedItem[]): PlannedFile[] {
  if (root === '') return [];
  const before = items.filter(({ kind }) => kind === 'file').length;
  return [...all]
    .filter(([path, { size }]) => !path.startsWith(`${root}/`) && size <= includedBytes)
    .map(([path, entry], at) => ({
      kind: 'file' as const,
      n: before + at,
      path: pathFrom(root, path),
      entry,
      isOutside: true as const,
    }));
}
