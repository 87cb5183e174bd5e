import { AppError, readBranch, updateBranch, type ResultOf } from '@scriptorium/contracts';
import type { getChangeRequestUpdateStatus, updateChangeRequest } from '@scriptorium/contracts';
import { ask, type Call } from '@scriptorium/platform';
import { requireRequest } from '../change-requests/index.js';

interface NamedRequest {
  spaceId: string;
  changeRequestId: string;
}

/**
 * Takes the new revisions of the space into a change request. A merged change request stays as it is.
 * @throws AppError `limit_reached`, `conflict` when the deadline comes first
 */
export async function updateFromSpace(
  call: Call,
  { spaceId, changeRequestId }: NamedRequest,
): Promise<ResultOf<typeof updateChangeRequest>> {
  const { _id: branch, revision } = await requireRequest(call, spaceId, changeRequestId);
  try {
    const updated = await ask(call, updateBranch, { space: spaceId, branch });
    const { result, conflicts } = updated;
    return { revision: updated.revision, result, ...(result === 'conflicts' ? { conflicts } : {}) };
  } catch (error) {
    if (error instanceof AppError && error.reason === 'change_request_merged')
      return { revision: revision ?? '', result: 'update' };
    throw error;
  }
}

/** How a change request stands to the content of its space. */
export async function updateStatus(
  call: Call,
  { spaceId, changeRequestId }: NamedRequest,
): Promise<ResultOf<typeof getChangeRequestUpdateStatus>> {
  const { _id: branch } = await requireRequest(call, spaceId, changeRequestId);
  const { head: revision, outdated, conflicts } = await ask(call, readBranch, { space: spaceId, branch });
  return { revision, outdated, conflicts };
}
