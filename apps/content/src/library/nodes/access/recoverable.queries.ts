import type { Grantee, NodeTree, VisibleNodes } from '@scriptorium/access';
import { isRecoverable, purgeAt } from '../deletion.js';

/** What was deleted, can still be restored, and has the member as an admin, in the order of the library. */
export function recoverableBy(
  nodes: Pick<NodeTree, 'deleted' | 'deletedAt' | 'levelOn'>,
  member: Grantee,
  now: number,
): VisibleNodes {
  const isListed = (id: string): boolean => {
    const deletedAt = nodes.deletedAt(id);
    return deletedAt !== null && isRecoverable(deletedAt, now) && nodes.levelOn(id, member) === 'admin';
  };
  const { spaces, collections } = nodes.deleted();
  return { spaces: spaces.filter(isListed), collections: collections.filter(isListed) };
}

/** The fields of something that was deleted: when that was, and when it is removed for good. None when it was not. */
export function deletionFields(deletedAt: string | null): { deletedAt?: string; purgeAt?: string } {
  return deletedAt === null ? {} : { deletedAt, purgeAt: purgeAt(deletedAt) };
}
