import type { CommandContext } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { roster } from '../members/roster.js';
import { users } from '../users/user.projection.js';
import { acceptPending } from './admit.process.js';
import { pendingInvites } from './pending-invite.projection.js';

/** Invitations looked at in one go, and people admitted by one run at most: further places are for the next who leaves. */
const batch = 500;

/**
 * Admits people whose invitations stay pending since the organization was full, the oldest invitations first, as long as
 * there is room. Safe to repeat.
 */
export async function admitWaiting(context: ServiceContext, organization: string, command: CommandContext): Promise<void> {
  const state = await context.store.load(roster, organization);
  if (state.status !== 'open' || state.members.size >= context.limits.membersPerOrganization) return;
  for (const { invite, user } of await waiting(context, organization)) {
    const refused = await acceptPending(context, invite, user, command);
    if (refused === 'membersPerOrganization') return;
  }
}

interface Waiting {
  invite: string;
  user: string;
  invitedAt: string;
}

/** The oldest pending invitations of an organization whose addresses have a verified owner. */
async function waiting({ store }: ServiceContext, organization: string): Promise<Waiting[]> {
  let found: Waiting[] = [];
  for (let last = ''; ; ) {
    const invites = await store.collection(pendingInvites).find({ organization, _id: { $gt: last } }).sort({ _id: 1 }).limit(batch).toArray();
    const owners = store.collection(users).find({ email: { $in: invites.map(({ email }) => email) }, emailVerified: true });
    const ids = new Map((await owners.toArray()).map(({ email, _id }) => [email, _id]));
    const known = invites.flatMap(({ _id, email, invitedAt }) => {
      const user = ids.get(email);
      return user === undefined ? [] : [{ invite: _id, user, invitedAt }];
    });
    found = [...found, ...known].sort((a, b) => (a.invitedAt < b.invitedAt ? -1 : 1)).slice(0, batch);
    last = invites.at(-1)?._id ?? '';
    if (invites.length < batch) return found;
  }
}
