import type { ContentChange } from '@scriptorium/contracts';

/** Of changes that take a few milliseconds to make. */
const [mostChanges, mostCharacters] = [10, 16_384];

/** Bring bytes of files, or look at earlier revisions. */
const slow = new Set<ContentChange['operation']>(['insert_files', 'update_file', 'revert_page']);

/** Whether there are changes, and they are made within a few milliseconds, of nothing but the content that they change. */
export function areShort(changes: readonly ContentChange[]): boolean {
  return (
    changes.length > 0 &&
    changes.length <= mostChanges &&
    !changes.some(({ operation }) => slow.has(operation)) &&
    JSON.stringify(changes).length <= mostCharacters
  );
}
