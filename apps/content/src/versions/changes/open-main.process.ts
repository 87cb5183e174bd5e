import type { StoreScope } from '@scriptorium/event-sourcing';
import { EMPTY_ROOT } from '@scriptorium/tree';
import { branch, openMain, type NewRevision, countContent } from '../branches/index.js';
import { createDraft, type ContentObjects } from '../object-store/index.js';
import { makeChanges, type Making } from './make-changes.js';
import { parsePage, type ParsePage } from './parsing/parse-page.js';

/** The first content of a space. */
export interface FirstContent extends Pick<Making, 'space' | 'changes' | 'contentRefs' | 'newId' | 'now' | 'api'> {
  /** Reads the documents; at once unless given. */
  parse?: ParsePage;
}

const parseAtOnce: ParsePage = (text) => Promise.resolve(parsePage(text));

/** Opens the main content of a space with a first revision. Nothing when it is open. Does not wait for read models. */
export async function openMainContent(store: StoreScope, objects: ContentObjects, first: FirstContent) {
  const { space, newId } = first;
  const draft = createDraft(objects, space, EMPTY_ROOT);
  const revision = () => Promise.resolve(undefined);
  const { events } = await makeChanges(draft, { parse: parseAtOnce, ...first, revision, variables: Infinity });
  const { root, texts } = await draft.written();
  if (!store.dry) await objects.store(space, texts);
  const made: NewRevision = {
    revision: newId('revision'),
    tree: root,
    type: 'edits',
    mergedFrom: null,
    counts: await countContent(draft),
    changes: events,
  };
  return store
    .within({ space })
    .handle(branch, space, (state) => openMain(state, { space, pool: space, first: made }), { wait: false });
}
