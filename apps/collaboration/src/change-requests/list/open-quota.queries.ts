import type { Call } from '@scriptorium/platform';
import { changeRequests, type ChangeRequestDocument } from './change-request.projection.js';

/** Whether a change request counts as a draft or open. */
export function isUnfinished({ status }: Pick<ChangeRequestDocument, 'status'>): boolean {
  return status === 'draft' || status === 'open';
}

/**
 * Does work that makes one more change request a draft or open.
 * @throws AppError `limit_reached` when the space has too many of them
 */
export function withinOpenQuota<T>(
  call: Call,
  { space, id }: { space: string; id: string },
  work: () => Promise<T>,
): Promise<T> {
  const model = call.store.read(changeRequests);
  const open = { space, status: { $in: ['draft' as const, 'open' as const] }, number: { $ne: null } };
  const look = async () => ({
    present: await model.count(open, call.limits.openChangeRequestsPerSpace + 1),
    more: 1,
  });
  const made = async () => {
    const doc = await model.byId(id);
    return doc !== null && doc.number !== null && isUnfinished(doc);
  };
  return call.quotas.within({ limit: 'openChangeRequestsPerSpace', of: space, most: 1, look, made }, work);
}
