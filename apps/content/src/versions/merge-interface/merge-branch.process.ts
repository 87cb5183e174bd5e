import { AppError, type mergeBranch as operation } from '@scriptorium/contracts';
import { EMPTY_ROOT } from '@scriptorium/tree';
import type * as z from 'zod';
import { branch, commit, seal, takenFrom, type Branch, type RequestBranch } from '../branches/index.js';
import type { ChangeCall } from '../changes/index.js';
import { documentMerger, mergeContents, type FoundConflict } from '../merging/index.js';
import { contentTree, type ContentObjects } from '../object-store/index.js';
import { listConflicts, type BranchOfSpace } from './branch-state.queries.js';
import { headOfMain, mergeBase } from './merge-base.process.js';
import { showConflicts } from './show-conflicts.queries.js';

type Outcome = z.output<(typeof operation)['response']>;

/**
 * Merges a change request into the main content: first a revision there, then the mark that the change request is
 * merged. Whatever breaks off in between is found by the next attempt. A revision that comes to the change request
 * meanwhile is merged as well. With conflicts nothing changes.
 * @throws AppError `not_found`, `limit_reached`, `precondition_failed` when its newest revision is not the expected
 * one, `conflict` when the deadline comes first
 */
export async function mergeBranch(
  call: ChangeCall,
  objects: ContentObjects,
  target: BranchOfSpace & { attempt: string; expected?: string | undefined },
): Promise<Outcome> {
  const { space, branch: id, attempt } = target;
  const mergeDocuments = documentMerger(call, call.deadline);
  // What is merged is the newest revision in the log.
  await requestIn(call, target);
  const inside = call.store.within({ space, changeRequest: id }).keyed(undefined);
  const { made } = await inside.make(branch, id, {
    isShort: false,
    async make({ state }) {
      const found = requireRequest(state, target);
      const { merged, pending } = found.request;
      const head = found.head?.revision ?? '';
      const outcome = (result: Outcome) => ({ events: [], outcome: result });
      if (merged !== null) return outcome({ result: 'merge', revision: merged.revision });
      if (head !== (target.expected ?? head)) await requireBegun(call, target, found);
      if (pending !== null)
        return outcome({ result: 'conflicts', revision: head, conflicts: await listConflicts(objects, found) });
      const { conflicts, ...main } = await addToMain(call, objects, { ...target, found, mergeDocuments });
      if (conflicts.length > 0) return outcome({ result: 'conflicts', revision: head, conflicts });
      const events = seal(state, { head, merged: main, attempt });
      return { events, outcome: { result: 'merge', revision: main.revision } as const };
    },
  });
  if (made === undefined) throw new AppError('unexpected', [], { message: 'A merge without a key was repeated' });
  return made.outcome;
}

/**
 * The main content may have an earlier revision of the change request already, from the first step of a merge. Then the
 * rest is merged, too.
 * @throws AppError `precondition_failed` otherwise
 */
async function requireBegun(call: ChangeCall, target: BranchOfSpace, { request }: RequestBranch): Promise<void> {
  await headOfMain(call, target.space);
  const base = await mergeBase(call, target, request);
  if (base.revision === takenFrom(request).revision)
    throw new AppError('precondition_failed', [], { message: 'The change request has a newer revision' });
}

/** The branch of a change request as the log has it. @throws AppError `not_found` */
export async function requestIn({ store }: Pick<ChangeCall, 'store'>, target: BranchOfSpace): Promise<RequestBranch> {
  const { state } = await store.handle(branch, target.branch, () => [], { wait: false, isLook: true });
  return requireRequest(state, target);
}

function requireRequest(state: Branch, { space, branch: id }: BranchOfSpace): RequestBranch {
  if (state.status === 'absent' || state.request === null || state.space !== space) throw new AppError('not_found');
  return { ...state, id, request: state.request };
}

interface Merging extends BranchOfSpace {
  attempt: string;
  found: RequestBranch;
  mergeDocuments: ReturnType<typeof documentMerger>;
}

async function addToMain(call: ChangeCall, objects: ContentObjects, merging: Merging) {
  const { space, branch: id, attempt, found, mergeDocuments } = merging;
  const { head, pool } = found;
  const ours = head?.tree ?? EMPTY_ROOT;
  // The base is looked up in read models, which have to show the newest merge.
  await headOfMain(call, space);
  const base = await mergeBase(call, merging, found.request);
  let theirs = EMPTY_ROOT;
  const none: FoundConflict[] = [];
  const { revision, tree, result } = await commit(call, objects, {
    space,
    branch: space,
    type: 'merge',
    key: `merge:${id}:${attempt}:${head?.revision ?? ''}`,
    async make(_draft, main) {
      theirs = main.head?.tree ?? EMPTY_ROOT;
      if (ours === base.tree) return { result: none, changes: [] };
      const roots = { base: base.tree, ours, theirs };
      const variables = call.limits.variablesPerSpace;
      const merged = await mergeContents(objects, {
        space,
        pool,
        roots,
        mergeDocuments,
        variables,
      });
      if (merged.conflicts.length > 0) return { result: merged.conflicts, changes: [] };
      const changes = await merged.changesOf('theirs');
      return { result: none, changes, draft: merged.draft, mergedWith: head?.revision, mergedFrom: id };
    },
    repeated: () => Promise.resolve(none),
  });
  const trees = [ours, theirs, base.tree].map((root) => contentTree(objects, pool, root));
  return { revision, tree, conflicts: await showConflicts(trees, result) };
}
