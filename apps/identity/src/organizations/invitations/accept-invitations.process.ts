import { asPerson } from '../../shared/index.js';
import { withStore, type Scope } from '@scriptorium/platform';
import { acceptMembership } from '../members/memberships.js';
import { roster } from '../members/roster.js';
import { acceptPending } from './admit.process.js';
import { pendingInvites } from './pending-invite.projection.js';

/** An invitation that somebody accepts by signing in with the address to which it was sent. */
export interface OpenInvitation {
  id: string;
  organization: string;
}

/** The pending invitations of an address, the oldest first. */
export async function listOpenInvitations({ store }: Scope, email: string): Promise<OpenInvitation[]> {
  const found = await store.read(pendingInvites).find({ email }).sort({ invitedAt: 1 }).toArray();
  return found.map(({ _id, organization }) => ({ id: _id, organization }));
}

/**
 * Accepts invitations for the owner of their address, who does so in person: what an admin has begun counts from now on outside of
 * the organization too. Safe to repeat.
 */
export async function acceptInvitations(
  scope: Scope,
  user: string,
  invitations: readonly OpenInvitation[],
): Promise<void> {
  const own = asPerson(scope, user);
  for (const { id, organization } of invitations) {
    await acceptPending(own, id, user);
    const there = withStore(own, own.store.in(organization).step(`accept:${id}`));
    await there.store.handle(roster, organization, (state) => acceptMembership(state, { user }));
  }
}
