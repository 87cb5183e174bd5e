import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { LastSeen } from './last-seen.operational.js';
import { rosterEvents } from './roster.events.js';

/** Forgets when somebody was last seen in an organization that they left. */
export function seenReactor(lastSeen: LastSeen): Reactor {
  return reactor({
    name: 'seen_of_removed_members',
    version: 1,
    entities: ['identity.roster'],
    events: [rosterEvents.pick('MemberRemoved')],
    react: ({ entityId, data, meta }) => lastSeen.forgetMember({ organization: entityId, user: data.user, left: meta.time }),
  });
}
