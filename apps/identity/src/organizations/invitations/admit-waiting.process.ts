import type { Scope } from '@scriptorium/platform';
import { roster } from '../roster/roster.js';
import { users } from '../../organization-read-models/index.js';
import { acceptPending } from './admit.process.js';
import { pendingInvites } from './pending-invite.projection.js';

/**
 * The most invitations that are read at once, and the most people that one run admits. Later runs admit the next ones.
 */
const batch = 500;

/**
 * Admits people whose invitations are pending because the organization was full. The oldest invitations come first,
 * until the limit is reached. Safe to repeat.
 */
export async function admitWaiting(scope: Scope, organization: string): Promise<void> {
  const state = await scope.store.load(roster, organization);
  if (state.status !== 'open' || state.members.size >= scope.limits.membersPerOrganization) return;
  for (const { invite, user } of await waiting(scope, organization)) {
    const refused = await acceptPending(scope, invite, user);
    if (refused === 'membersPerOrganization') return;
  }
}

interface Waiting {
  invite: string;
  user: string;
  invitedAt: string;
}

/** The oldest pending invitations of an organization whose addresses have a verified owner. */
async function waiting({ store }: Scope, organization: string): Promise<Waiting[]> {
  let found: Waiting[] = [];
  for (let last = ''; ;) {
    const invites = await store
      .read(pendingInvites)
      .find({ organization, _id: { $gt: last } })
      .sort({ _id: 1 })
      .limit(batch)
      .toArray();
    const owners = store.read(users).find({ email: { $in: invites.map(({ email }) => email) }, emailVerified: true });
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
