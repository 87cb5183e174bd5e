import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { forgetSeen } from './last-seen.operational.js';
import { rosterEvents } from './roster.events.js';

/** Forgets when somebody was last seen in an organization that they left. */
export function seenReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'seen_of_removed_members',
    version: 1,
    entities: ['identity.roster'],
    events: [rosterEvents.pick('MemberRemoved')],
    react: ({ entityId, data, meta }) => forgetSeen(context.store, { organization: entityId, user: data.user, left: meta.time }),
  });
}
