import type { TextChange } from '@scriptorium/contracts';
import type { Head } from '../branches/index.js';
import { initialPage } from './initial-content.js';
import type { Draft } from '../object-store/index.js';

/** Whether the content is what the space began with. A copy of another space was edited there. */
export function isUnedited({ pool }: Draft, space: string, head: Head | null): boolean {
  return pool === space && (head?.number ?? 0) <= 1;
}

/** The changes of a template. In a space that nobody has edited they take the place of the page that it began with. */
export async function templateChanges(
  draft: Draft,
  { space, head }: { space: string; head: Head | null },
  changes: readonly TextChange[],
): Promise<readonly TextChange[]> {
  const page = isUnedited(draft, space, head) ? await initialPage(draft) : undefined;
  return page === undefined ? changes : [{ operation: 'delete_page', page: page.id }, ...changes];
}
