import type { SemanticChanges } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { ContentObjects } from '../../../versions/index.js';
import type { ContentView } from '../view/view.queries.js';
import { documentDifferences } from './document-differences.queries.js';
import { changesSince } from './semantic-changes.queries.js';

/** How changes are asked for: at most so many, and whether with the texts. */
export interface AskedChanges {
  limit: number;
  format?: 'diff' | undefined;
}

/** What changed from the content with a root to that of a view, with the texts if that was asked for. */
export async function compareWith(
  scope: Pick<Scope, 'workers' | 'now'>,
  objects: ContentObjects,
  root: string,
  { view, query: { limit, format } }: { view: ContentView; query: AskedChanges },
): Promise<Omit<SemanticChanges, 'mergedFrom'>> {
  const changes = await changesSince(objects, root, view, limit);
  if (format === undefined) return changes;
  const { tree, stored } = view;
  return {
    ...changes,
    diffs: await documentDifferences(scope, objects, { pool: tree.pool, before: root, after: stored }, limit),
  };
}
