import { waitForProjections, type Scope } from '@scriptorium/platform';
import { invite, revoke } from '../invitations/invite.js';
import { pendingInvites } from '../invitations/pending-invite.projection.js';
import type { LastSeen } from '../members/last-seen.operational.js';
import { removeRemainingMembers } from '../roster/memberships.js';
import { roster } from '../roster/roster.js';
import { hostnames } from '../settings/hostnames.reservation.js';
import { organization, remove } from '../settings/organization.js';

/** The streams of an organization that contain texts and settings. They are erased with it. */
const erasedStreams = ['links', 'sso', 'instructions'];

/**
 * Deletes an organization whose roster is closed, and releases its hostname. Its other streams are erased first, so
 * that no event follows the deletion. Safe to repeat. Returns the position of the deletion in the log.
 */
export async function deleteOrganization(scope: Scope, id: string): Promise<bigint> {
  const { store } = scope;
  await Promise.all(erasedStreams.map((entity) => store.erase({ service: 'identity', entity }, id)));
  const { state, position } = await store.handle(organization, id, remove);
  if (state.status === 'deleted') {
    await store.release(hostnames, { value: state.hostname, owner: id });
  }
  return position;
}

/**
 * Ends the memberships and pending invitations of a deleted organization, which have streams of their own. For a
 * reactor; safe to repeat. What is written after `deleted`, the position of the deletion, is handled by reactors on its
 * own events.
 * @throws AppError `unavailable` as long as the read models do not show everything that was written before
 */
export async function clearOrganization(
  scope: Scope,
  lastSeen: LastSeen,
  { id, deleted }: { id: string; deleted: bigint },
): Promise<void> {
  // These commands have no effect when repeated. Several go to one stream, where an idempotency key would suppress all
  // but the first.
  const store = scope.store.keyed(undefined);
  while ((await store.handle(roster, id, removeRemainingMembers, { wait: false })).events.length > 0);
  await waitForProjections(scope, { position: deleted, type: 'MemberInvited' }, [pendingInvites]);
  for await (const { _id } of store.read(pendingInvites).find({ organization: id })) {
    await store.handle(invite, _id, revoke, { wait: false });
  }
  await lastSeen.forgetOrganization(id);
}
