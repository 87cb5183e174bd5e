import type { TextChange, ContentChangesResult, ContentReference } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { commit, revisions, type Head } from '../branches/index.js';
import { makeChanges, pageParser } from '../changes/index.js';
import { contentTree, type ContentObjects, type ContentTree, type Draft } from '../objects/index.js';

/** The branch that is changed, and the space that it belongs to. */
interface Target {
  space: string;
  branch: string;
}

/** What is changed. */
interface Edit {
  /** The revision that the changes were made for. */
  base?: string | undefined;
  /** What links to `/content-refs/<name>` lead to, by that name. */
  contentRefs?: ReadonlyMap<string, ContentReference>;
  /** The changes; a function when they depend on the content that they change. It may be called several times. */
  changes: readonly TextChange[] | ((draft: Draft, head: Head | null) => Promise<readonly TextChange[]>);
}

/**
 * Changes the content of a branch: all changes or none, as one revision.
 * @throws AppError `content_change_invalid` naming the change, `precondition_failed`, `limit_reached`
 */
export async function changeContent(
  call: Call,
  objects: ContentObjects,
  { space, branch }: Target,
  { changes: wanted, base, contentRefs }: Edit,
): Promise<ContentChangesResult> {
  const { revision, result } = await commit(call, objects, {
    space,
    branch,
    base,
    type: 'edits',
    async make(draft, head) {
      const made = await makeChanges(draft, {
        space,
        changes: typeof wanted === 'function' ? await wanted(draft, head) : wanted,
        contentRefs,
        newId: (what) => call.idFor(what),
        parse: pageParser(call, call.deadline),
        revision: (id) => earlier(call, objects, draft, id ?? base, head?.revision),
        now: call.now(),
        api: call.urls.api,
        variables: call.limits.variablesPerSpace,
      });
      return { result: made, changes: made.events };
    },
  });
  return { revision, refs: Object.fromEntries(result.refs), changes: result.results };
}

/** The content of a revision of the same history; without a revision that of the one before the head. */
async function earlier(
  { store }: Call,
  objects: ContentObjects,
  { pool }: Draft,
  id: string | undefined,
  head: string | undefined,
): Promise<ContentTree | undefined> {
  const model = store.read(revisions);
  const present = head === undefined ? null : await model.byId(head);
  const wanted = id ?? present?.parents[0];
  const found = wanted === undefined ? null : await model.byId(wanted);
  if (found === null || found.space !== present?.space) return undefined;
  return contentTree(objects, pool, found.tree);
}
