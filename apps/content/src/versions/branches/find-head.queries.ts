import type { Stored, StoreScope, Written } from '@scriptorium/event-sourcing';
import { revisions, type RevisionDocument } from './revision.projection.js';

/**
 * The revision that is the head of a branch, or was it. `written`: the last event of the branch. A commit begins before
 * read models show the one before it, so they are waited for if they do not have this revision yet.
 */
export async function findHead(
  store: StoreScope,
  revision: string,
  written: Written,
): Promise<Stored<RevisionDocument> | null> {
  const model = store.read(revisions);
  const found = await model.byId(revision);
  if (found !== null) return found;
  await store.shown(written);
  return model.byId(revision);
}
