import {
  limitReached,
  type TextChange,
  type ContentReference,
  type Space,
  type Principal,
} from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import {
  branch,
  openMain,
  type NewRevision,
  makingOf,
  openMainContent,
  type ContentObjects,
} from '../../../versions/index.js';
import type { SpaceSettings } from '../space-settings.js';
import { addSpace, judgeByLibrary, library, nodeIn } from '../../nodes/index.js';
import { create, space } from '../space.js';

/**
 * What a space begins with: what these changes make, or a copy of the content of another space, which reads from the
 * same pool.
 */
export type FirstContent = MadeContent | { pool: string; copy: Pick<NewRevision, 'tree' | 'counts'> };

interface MadeContent {
  /** Each makes one page, group or link. */
  changes: readonly TextChange[];
  /** What links to `/content-refs/<name>` lead to, by that name. */
  contentRefs?: ReadonlyMap<string, ContentReference>;
}

interface NewSpace {
  title?: string | undefined;
  emoji?: string | undefined;
  language?: string | undefined;
  editMode?: Space['editMode'] | undefined;
  /** The collection to put it in; `null` for the top. */
  parent: string | null;
  creator: { organization: string; user: string; membership: string };
  /** Settings that a copy takes over. */
  more?: Pick<SpaceSettings, 'icon' | 'mergeRules'>;
  /** Its content. */
  content: FirstContent;
}

/**
 * Creates a space. Its stream begins with all that it grants; it exists once the library has it. What breaks off in
 * between is seen by nobody.
 * @throws AppError `limit_reached`, `not_found` for a library that was closed or a parent that is gone
 */
export async function createInLibrary(
  call: Call<Principal | null>,
  objects: ContentObjects,
  id: string,
  wanted: NewSpace,
): Promise<void> {
  const { store, limits } = call;
  const { organization, user, membership } = wanted.creator;
  const { title = 'Untitled', emoji = null, language = null, editMode = 'locked', parent } = wanted;
  const addition = { space: id, parent, limit: limits.spacesPerOrganization };
  const here = store.within({ space: id });
  if ('changes' in wanted.content && wanted.content.changes.length > limits.pagesPerSpace)
    throw limitReached('pagesPerSpace', limits.pagesPerSpace);
  // What the library refuses must not leave a stream behind.
  await judgeByLibrary({ store }, organization, (known) => {
    if (nodeIn(known, id) === undefined) addSpace(known, addition);
  });
  const settings = { organization, title, emoji, language, editMode, ...wanted.more };
  const created = await here.handle(
    space,
    id,
    (state) => create(state, { ...settings, creator: { user, membership } }),
    { wait: false, isNew: true },
  );
  const opened = await openContent(call, objects, id, wanted.content);
  await here.handle(library, organization, (state) => addSpace(state, addition));
  // The read models of spaces and branches are made of their own streams alone, so waiting for the library does not
  // include them.
  await store.shown(created);
  await store.shown(opened);
}

function openContent(call: Call<Principal | null>, objects: ContentObjects, id: string, content: FirstContent) {
  const here = call.store.within({ space: id });
  if ('changes' in content) return openMainContent(here, objects, { ...makingOf(call), ...content, space: id });
  const { pool, copy } = content;
  const first: NewRevision = {
    ...copy,
    revision: call.idFor('revision'),
    type: 'edits',
    mergedFrom: null,
    changes: [],
  };
  return here.handle(branch, id, (state) => openMain(state, { space: id, pool, first }), { wait: false });
}
