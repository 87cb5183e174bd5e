import type { RevisionData } from '../branch.events.js';
import type { Draft } from '../../object-store/index.js';
import { keys } from '../../pages/index.js';

/** What the tree of a revision has. */
export async function countContent(draft: Draft): Promise<RevisionData['counts']> {
  return {
    pages: await draft.count(keys.pages),
    files: await draft.count(keys.files),
    reusableContents: await draft.count(keys.reusableContents),
    variables: await draft.count(keys.variables),
  };
}
