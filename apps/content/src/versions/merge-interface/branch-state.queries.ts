import { AppError, type ContentConflict, type readBranch } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type * as z from 'zod';
import { branches, requireRequestBranch, type RequestBranch } from '../branches/index.js';
import { conflictsIn } from '../merging/index.js';
import { contentTree, type ContentObjects, type ContentTree } from '../object-store/index.js';
import { EMPTY_ROOT } from '@scriptorium/tree';
import { showConflicts } from './show-conflicts.queries.js';

/** The branch of a change request, and the space that it goes back to. */
export interface BranchOfSpace {
  space: string;
  branch: string;
}

type BranchState = z.output<(typeof readBranch)['response']>;

/** The state of the branch of a change request. @throws AppError `not_found` */
export async function getBranchState(
  scope: Pick<Scope, 'store'>,
  objects: ContentObjects,
  { space, branch }: BranchOfSpace,
): Promise<BranchState> {
  const found = await requireRequestBranch(scope, space, branch);
  const main = await scope.store.read(branches).byId(space);
  if (found.head === null || main?.head == null) throw new AppError('not_found');
  const { initial, ancestor, merged } = found.request;
  return {
    head: found.head.revision,
    initial,
    ancestor: ancestor.revision,
    main: main.head.revision,
    outdated: merged === null && main.head.revision !== ancestor.revision,
    ...(merged === null ? {} : { merged: merged.revision }),
    conflicts: await listConflicts(objects, found),
  };
}

/** The conflicts of a change request that are not resolved. */
export async function listConflicts(
  objects: ContentObjects,
  { pool, head, request: { pending, ancestor } }: Pick<RequestBranch, 'pool' | 'head' | 'request'>,
): Promise<ContentConflict[]> {
  if (pending === null) return [];
  const open = conflictsIn(await objects.require(pool, pending.conflicts));
  const treeOf = (root: string): ContentTree => contentTree(objects, pool, root);
  return showConflicts([head?.tree ?? EMPTY_ROOT, pending.ancestor.tree, ancestor.tree].map(treeOf), open);
}
