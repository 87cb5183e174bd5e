import { asPerson } from './as-person.process.js';
import { withStore, type Scope } from '@scriptorium/platform';
import type { Condition } from 'mongodb';
import { users } from '../../organization-read-models/index.js';
import { acceptMembership } from '../roster/memberships.js';
import { roster } from '../roster/roster.js';
import { acceptPending } from './admit.process.js';
import { pendingInvites } from './pending-invite.projection.js';

/** An invitation that somebody accepts by signing in with the address to which it was sent. */
export interface OpenInvitation {
  id: string;
  organization: string;
}

/** The pending invitations of an address, the oldest first. `organization`: of these organizations alone. */
export async function listOpenInvitations(
  { store }: Scope,
  email: string,
  organization: Condition<string> = { $exists: true },
): Promise<OpenInvitation[]> {
  const found = await store.read(pendingInvites).find({ email, organization }).sort({ invitedAt: 1 }).toArray();
  return found.map((invitation) => ({ id: invitation._id, organization: invitation.organization }));
}

/**
 * Accepts the pending invitations of a user whose address is verified, in these organizations or in all; nothing for
 * somebody else. Membership still needs to be accepted in person. Safe to repeat.
 */
export async function acceptForVerified(scope: Scope, user: string, organization?: Condition<string>): Promise<void> {
  const owner = await scope.store.read(users).findOne({ _id: user, emailVerified: true });
  if (owner === null) return;
  for (const { id } of await listOpenInvitations(scope, owner.email, organization))
    await acceptPending(scope, id, user);
}

/**
 * Accepts invitations for the owner of their address, who does so in person: what an admin has begun counts from now on
 * outside of the organization too. Safe to repeat.
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
