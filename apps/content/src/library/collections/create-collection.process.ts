import type { Scope } from '@scriptorium/platform';
import { addCollection, judgeByLibrary, library, nodeIn } from '../nodes/index.js';
import { collection, create } from './collection.js';

interface NewCollection {
  title?: string | undefined;
  /** The collection to put it in; `null` for the top. */
  parent: string | null;
  creator: { organization: string; user: string; membership: string };
}

/**
 * Creates a collection. Its stream begins with all that it grants; it exists once the library has it. What breaks off
 * in between is seen by nobody.
 * @throws AppError `limit_reached`, `position_invalid`, `not_found` for a library that was closed or a parent that is
 * gone
 */
export async function createInLibrary({ store, limits }: Scope, id: string, wanted: NewCollection): Promise<void> {
  const { organization, user, membership } = wanted.creator;
  const { title = 'Untitled', parent } = wanted;
  const addition = { collection: id, parent, limit: limits.collectionsPerOrganization };
  // What the library refuses must not leave a stream behind.
  await judgeByLibrary({ store }, organization, (known) => {
    if (nodeIn(known, id) === undefined) addCollection(known, addition);
  });
  const creator = { user, membership };
  const created = await store.handle(collection, id, (state) => create(state, { organization, title, creator }), {
    wait: false,
    isNew: true,
  });
  await store.handle(library, organization, (state) => addCollection(state, addition));
  // The read model of collections is made of their own streams alone, so waiting for the library does not include it.
  await store.shown(created);
}
