import { AppError, type updateBranch as operation } from '@scriptorium/contracts';
import type * as z from 'zod';
import { commit, takenFrom, type Made, type OpenBranch } from '../branches/index.js';
import type { ChangeCall } from '../changes/index.js';
import {
  conflictList,
  conflictsIn,
  conflictsLeft,
  documentMerger,
  mergeContents,
  type FoundConflict,
} from '../merging/index.js';
import { contentTree, type ContentObjects, type Draft } from '../object-store/index.js';
import { getBranchState, listConflicts, type BranchOfSpace } from './branch-state.queries.js';
import { headOfMain, mergeBase } from './merge-base.process.js';
import { showConflicts } from './show-conflicts.queries.js';

type Outcome = z.output<(typeof operation)['response']>;

/**
 * Takes over into a change request what is new in the main content. Where both exclude each other, the change request
 * keeps its own version, and that is a conflict.
 * @throws AppError `not_found`, `change_request_merged`, `limit_reached`, `conflict` when the deadline comes first
 */
export async function updateBranch(
  call: ChangeCall,
  objects: ContentObjects,
  { space, branch: id }: BranchOfSpace,
): Promise<Outcome> {
  const mergeDocuments = documentMerger(call, call.deadline);
  const { revision, result } = await commit(call, objects, {
    space,
    branch: id,
    type: 'update',
    make: async (_draft, seen) => takeOver(call, objects, { space, branch: id }, { seen, mergeDocuments }),
    repeated: async () => getBranchState(call, objects, { space, branch: id }),
  });
  const { ancestor, conflicts } = result;
  return { result: conflicts.length === 0 ? 'update' : 'conflicts', revision, ancestor, conflicts };
}

async function takeOver(
  call: ChangeCall,
  objects: ContentObjects,
  { space, branch: id }: BranchOfSpace,
  { seen, mergeDocuments }: { seen: OpenBranch; mergeDocuments: ReturnType<typeof documentMerger> },
): Promise<Made<Pick<Outcome, 'ancestor' | 'conflicts'>>> {
  const { head, request, pool } = seen;
  if (request === null || head === null) throw new AppError('not_found');
  const main = await headOfMain(call, space);
  if (main.revision === takenFrom(request).revision) {
    const conflicts = await listConflicts(objects, { pool, head, request });
    return { result: { ancestor: request.ancestor.revision, conflicts }, changes: [] };
  }
  const base = await mergeBase(call, { space, branch: id }, request);
  const roots = { base: base.tree, ours: head.tree, theirs: main.tree };
  const variables = call.limits.variablesPerSpace;
  const { draft, ...merged } = await mergeContents(objects, { space, pool, roots, mergeDocuments, variables });
  const before = request.pending === null ? [] : conflictsIn(await objects.require(pool, request.pending.conflicts));
  const open = await present(draft, [...merged.conflicts, ...before]);
  const others = [main.tree, base.tree].map((root) => contentTree(objects, pool, root));
  const ancestor = { revision: main.revision, tree: main.tree };
  const isClean = open.length === 0;
  const data = { space, ancestor, conflicts: isClean ? null : draft.add(conflictList(open)) };
  return {
    result: {
      ancestor: isClean ? main.revision : request.ancestor.revision,
      conflicts: await showConflicts([draft, ...others], open),
    },
    changes: await merged.changesOf('ours'),
    draft,
    mergedWith: main.revision,
    events: [{ type: 'BranchUpdated', data }],
  };
}

/** Conflicts, each once, as far as they are there. Those of a new merge come first. */
async function present(draft: Draft, found: readonly FoundConflict[]): Promise<FoundConflict[]> {
  const open = [...new Map([...found].reverse().map((one) => [one.id, one])).values()];
  return conflictList(await conflictsLeft(draft, { open, resolve: [], changes: [], before: draft })).items;
}
