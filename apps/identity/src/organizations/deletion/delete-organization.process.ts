import type { Scope } from '@scriptorium/platform';
import { invite, revoke } from '../invitations/invite.js';
import { pendingInvites } from '../invitations/pending-invite.projection.js';
import type { LastSeen } from '../members/last-seen.operational.js';
import { empty } from '../members/memberships.js';
import { roster } from '../members/roster.js';
import { waitForProjections } from '../../shared/index.js';
import { hostnames } from '../settings/hostnames.reservation.js';
import { organization, remove } from '../settings/organization.js';

/** The streams of an organization that hold texts or settings of people: erased when it is deleted. */
const erasedStreams = ['links', 'sso', 'instructions'];

/**
 * Deletes an organization whose roster is closed, and gives its hostname free. What people wrote about it is erased first, so
 * that nothing can follow the deletion. Safe to repeat. Returns the position of the deletion in the log.
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
 * Ends what has streams of its own: memberships one by one, and pending invitations with the addresses in them. For a
 * reactor; safe to repeat. What is written after `deleted`, the position of the deletion, is found by its own event.
 * @throws AppError `unavailable` while the read models do not show yet all that was written before.
 */
export async function clearOrganization(
  scope: Scope,
  lastSeen: LastSeen,
  { id, deleted }: { id: string; deleted: bigint },
): Promise<void> {
  // Each command does nothing when it has been done, and several go to one stream: a key would hide all but the first.
  const store = scope.store.keyed(undefined);
  while ((await store.handle(roster, id, empty, { wait: false })).events.length > 0);
  await waitForProjections(scope, { position: deleted, type: 'MemberInvited' }, [pendingInvites]);
  for await (const { _id } of store.read(pendingInvites).find({ organization: id })) {
    await store.handle(invite, _id, revoke, { wait: false });
  }
  await lastSeen.forgetOrganization(id);
}
