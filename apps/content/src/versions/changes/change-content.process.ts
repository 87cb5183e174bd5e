import type {
  ContentChange,
  ContentChangeResult,
  ContentChangesResult,
  ContentReference,
} from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { EMPTY_ROOT } from '@scriptorium/tree';
import { commit, findHead, revisions, type CommitCall, type OpenBranch, type SeenBranch } from '../branches/index.js';
import { lengthOf } from './documents/read-ahead.process.js';
import { longestInline, pageParser } from './documents/read-document.process.js';
import { makeChanges, type Making } from './make-changes.js';
import { openConflicts, resolution } from './resolution.process.js';
import { stageFiles, type StagingCall } from '../files/index.js';
import { conflictsLeft, refuseUnknown } from '../merging/index.js';
import { contentTree, type ContentObjects, type ContentTree, type Draft } from '../object-store/index.js';

/** Short changes: each of them takes less than a millisecond besides its document. */
const mostChanges = 10;

/** What changes of content need of a request. */
export type ChangeCall = CommitCall & StagingCall & Pick<Call, 'deadline' | 'now' | 'urls' | 'workers'>;

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
  changes?:
    readonly ContentChange[] | ((draft: Draft, seen: OpenBranch) => Promise<readonly ContentChange[]>) | undefined;
  /** Ids of conflicts of a change request that count as resolved. */
  resolve?: readonly string[] | undefined;
}

/**
 * Changes the content of a branch: all changes or none, as one revision.
 * The bytes of files are read once, before the changes are made.
 * @throws AppError `content_change_invalid` and `bad_gateway` naming the change, `precondition_failed`,
 * `limit_reached`, `change_request_merged`, `unavailable`
 */
export async function changeContent(
  call: ChangeCall,
  objects: ContentObjects,
  target: Target,
  { changes: wanted = [], resolve = [], base, contentRefs }: Edit,
): Promise<ContentChangesResult> {
  const organization = call.store.context.organization ?? '';
  const given = typeof wanted === 'function' ? [] : wanted;
  const files = await stageFiles(call, objects.files, { organization, changes: given });
  try {
    const { revision, result } = await commit(call, objects, {
      ...target,
      base,
      type: 'edits',
      isShort: files.keep === undefined && areShort(given),
      async make(draft, seen) {
        const open = await openConflicts(draft, seen);
        if (!seen.isRepeated) refuseUnknown({ open, resolve });
        const before = contentTree(objects, draft.pool, seen.head?.tree ?? EMPTY_ROOT);
        const changes = typeof wanted === 'function' ? await wanted(draft, seen) : wanted;
        const made = await makeChanges(draft, {
          ...makingOf(call),
          ...target,
          changes,
          files,
          contentRefs,
          openConflicts: new Set(open.map(({ id }) => id)),
          revision: (id) => earlier(call, objects, draft, id ?? base, seen),
        });
        const left = open.length === 0 ? open : await conflictsLeft(draft, { open, resolve, changes, before });
        const events = resolution(draft, target.space, open, left);
        return { result: made, changes: made.events, events, keep: files.keep };
      },
    });
    return { revision, refs: Object.fromEntries(result.refs), changes: result.results, ...inserted(result.results) };
  } finally {
    await files.drop();
  }
}

/** All files that changes have inserted. */
function inserted(results: readonly ContentChangeResult[]): Pick<ContentChangesResult, 'insertedFiles'> {
  const files = results.flatMap((result) => (result.object === 'created_files' ? result.files : []));
  return files.length === 0 ? {} : { insertedFiles: files };
}

/** The content of a revision of the same history; without a revision that of the one before the head. */
async function earlier(
  { store }: Pick<ChangeCall, 'store'>,
  objects: ContentObjects,
  { pool }: Draft,
  id: string | undefined,
  { head, written }: Pick<SeenBranch, 'head' | 'written'>,
): Promise<ContentTree | undefined> {
  const model = store.read(revisions);
  const present = head === null ? null : await findHead(store, head.revision, written);
  const wanted = id ?? present?.parents[0];
  const found = wanted === undefined ? null : await model.byId(wanted);
  if (found === null || found.space !== present?.space) return undefined;
  return contentTree(objects, pool, found.tree);
}

/** What making changes takes from a request. Each attempt to make them begins with another one. */
export function makingOf(
  call: Pick<Call, 'deadline' | 'idFor' | 'limits' | 'now' | 'urls' | 'workers'>,
): Pick<Making, 'api' | 'newId' | 'now' | 'parse' | 'variables'> {
  return {
    newId: (what) => call.idFor(what),
    parse: pageParser(call, call.deadline),
    now: call.now(),
    api: call.urls.api,
    variables: call.limits.variablesPerSpace,
  };
}

/**
 * Whether there are changes, and they are made within a few milliseconds, of nothing but the content that they change.
 */
function areShort(changes: readonly ContentChange[]): boolean {
  const length = changes.reduce((sum, change) => sum + lengthOf(change), 0);
  const looksBack = changes.some(({ operation }) => operation === 'revert_page');
  return changes.length > 0 && changes.length <= mostChanges && length <= longestInline && !looksBack;
}
