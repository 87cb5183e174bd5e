import { branch, reopen } from '../branches/index.js';
import type { ChangeCall } from '../changes/index.js';
import type { BranchOfSpace } from './branch-state.queries.js';
import { requestIn } from './merge-branch.process.js';

/** Lets a merged change request take content again. Nothing for others. @throws AppError `not_found` */
export async function reopenBranch(call: Pick<ChangeCall, 'store'>, target: BranchOfSpace): Promise<void> {
  const { space, branch: id } = target;
  await requestIn(call, target);
  await call.store.within({ space, changeRequest: id }).handle(branch, id, reopen);
}
