import { AppError } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { branch, revisions, takenFrom, type Head, type RequestState, type RevisionRoot } from '../branches/index.js';
import type { BranchOfSpace } from './branch-state.queries.js';

/** The newest revision of the main content. The read models of this service show it. @throws AppError `not_found` */
export async function headOfMain({ store }: Pick<Scope, 'store'>, space: string): Promise<Head> {
  const { state } = await store.handle(branch, space, () => [], { isLook: true });
  if (state.status === 'absent' || state.head === null) throw new AppError('not_found');
  return state.head;
}

/**
 * What the main content and a change request began with: the revision of the main content that the change request has
 * taken over. When a merge has added a revision to the main content and then broke off, it is the revision of the
 * change request that this has.
 */
export async function mergeBase(
  { store }: Pick<Scope, 'store'>,
  { space, branch: id }: BranchOfSpace,
  request: RequestState,
): Promise<RevisionRoot> {
  const taken = takenFrom(request);
  const model = store.read(revisions);
  const [last, known] = await Promise.all([
    model.findOne({ branch: space, mergedFrom: id }, { sort: { number: -1 } }),
    model.byId(taken.revision),
  ]);
  if (last === null || known === null || last.number <= known.number) return taken;
  const merged = await model.byId(last.parents[1] ?? '');
  return merged === null ? taken : { revision: merged._id, tree: merged.tree };
}
