import type { ContentChange } from '@scriptorium/contracts';
import { lengthOf } from './documents/read-ahead.process.js';
import { longestInline } from './documents/read-document.process.js';

/** Each of them takes less than a millisecond besides its document. */
const mostChanges = 10;

/**
 * Whether there are changes, and they are made within a few milliseconds, of nothing but the content that they change.
 */
export function areShort(changes: readonly ContentChange[]): boolean {
  const length = changes.reduce((sum, change) => sum + lengthOf(change), 0);
  const looksBack = changes.some(({ operation }) => operation === 'revert_page');
  return changes.length > 0 && changes.length <= mostChanges && length <= longestInline && !looksBack;
}
