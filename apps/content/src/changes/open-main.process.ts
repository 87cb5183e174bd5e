import type { TextChange, ContentReference } from '@scriptorium/contracts';
import { type StoreScope } from '@scriptorium/event-sourcing';
import { EMPTY_ROOT } from '@scriptorium/tree';
import { branch, openMain, type NewRevision } from '../branches/index.js';
import { createDraft, type ContentObjects } from '../objects/index.js';
import { applyChanges } from './apply-changes.js';
import { namesIn, type ContentEvent } from './context.js';
import { countContent } from './count-content.js';
import { parsePage, type ParsePage } from './parse-page.js';

/** The first content of a space. */
export interface FirstContent {
  space: string;
  changes: readonly TextChange[];
  /** What links to `/content-refs/<name>` lead to, by that name. */
  contentRefs?: ReadonlyMap<string, ContentReference>;
  /** Reads the documents; at once unless given. */
  parse?: ParsePage;
  /** Ids of what the changes make. */
  newId: (what: string) => string;
  /** Milliseconds since the epoch. */
  now: number;
  location: string;
}

const parseAtOnce: ParsePage = (text) => Promise.resolve(parsePage(text));

/** Opens the main content of a space with a first revision. Nothing when it is open. Does not wait for read models. */
export async function openMainContent(store: StoreScope, objects: ContentObjects, first: FirstContent) {
  const { space, changes, contentRefs = new Map<string, ContentReference>(), newId, now, location } = first;
  const draft = createDraft(objects, space, EMPTY_ROOT);
  const events: ContentEvent[] = [];
  const context = {
    draft,
    refs: new Map(namesIn(changes).map((name) => [name, newId(`ref:${name}`)])),
    contentRefs,
    now: new Date(now).toISOString(),
    newId,
    parse: first.parse ?? parseAtOnce,
    revision: () => Promise.resolve(undefined),
    location,
    note: (kind: ContentEvent['kind'], id: string) => void events.push({ kind, id }),
  };
  await applyChanges(context, changes, { variables: Infinity });
  const { root, texts } = await draft.written();
  if (!store.dry) await objects.store(space, texts);
  const made: NewRevision = {
    revision: newId('revision'),
    tree: root,
    type: 'edits',
    mergedFrom: null,
    counts: await countContent(draft),
    changes: events.slice(0, 100),
    more: Math.max(0, events.length - 100),
  };
  return store
    .within({ space })
    .handle(branch, space, (state) => openMain(state, { space, pool: space, first: made }), { wait: false });
}
