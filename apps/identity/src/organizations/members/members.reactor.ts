import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { user as account } from '../../accounts/index.js';
import { rosterEvents } from '../../events/index.js';
import type { LastSeen } from './last-seen.operational.js';
import { recordAccountKind } from '../roster/memberships.js';
import { roster } from '../roster/roster.js';

/** Removes the record of when a member was last seen, when they leave. */
export function seenReactor(lastSeen: LastSeen): Reactor {
  return reactor({
    name: 'seen_of_removed_members',
    version: 1,
    entities: ['identity.roster'],
    events: [rosterEvents.pick('MemberRemoved')],
    react: ({ entityId, data, meta }) =>
      lastSeen.forgetMember({ organization: entityId, user: data.user, left: meta.time }),
  });
}

/**
 * Records the account kind of service accounts whose membership was recorded without it, by an earlier version. All
 * other memberships without it count as persons.
 */
export const accountKindsReactor: Reactor = reactor({
  name: 'account_kinds',
  version: 1,
  entities: ['identity.roster'],
  events: [rosterEvents.pick('MemberJoined')],
  async react({ entityId, data: { user, membership, kind } }, store) {
    if (kind !== undefined) return;
    const known = await store.load(account, user);
    if (known.status === 'active' && known.kind === 'service')
      await store.handle(roster, entityId, (state) => recordAccountKind(state, { user, membership, kind: 'service' }));
  },
});
