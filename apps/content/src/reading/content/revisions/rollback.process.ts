import { AppError } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { diff } from '@scriptorium/tree';
import { commit, type ContentObjects } from '../../../versions/index.js';
import { requireRevision } from '../view/view.queries.js';

/**
 * Makes the main content of a space what it was in a revision. What a change request has comes by its merge alone,
 * which asks for the rules of the space.
 * @throws AppError `not_found` for a revision of anything else than the main content
 */
export async function rollback(
  call: Call,
  objects: ContentObjects,
  { space, revision }: { space: string; revision: string },
): Promise<{ revision: string }> {
  const wanted = await requireRevision(call, space, revision);
  if (wanted.branch !== space) throw new AppError('not_found');
  const committed = await commit(call, objects, {
    space,
    branch: space,
    type: 'rollback',
    async make(draft, { head }) {
      if (head !== null)
        for await (const { key, after } of diff(objects.partsOf(draft.pool), head.tree, wanted.tree)) {
          if (after === undefined) draft.remove(key);
          else draft.put(key, after);
        }
      return { result: undefined, changes: [] };
    },
  });
  return { revision: committed.revision };
}
