import { waitForProjections, type ServiceContext } from '@scriptorium/platform';
import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { endSessionsWithin, type PrincipalAnnouncer } from '../../accounts/index.js';
import { rosterEvents } from '../../events/index.js';
import { members } from '../../organization-read-models/index.js';

/** Ends the sessions that an organization's provider began for a member who is removed. */
export function removedMembersReactor(context: ServiceContext, announcer: PrincipalAnnouncer): Reactor {
  return reactor({
    name: 'sessions_of_removed_members',
    version: 1,
    from: 'now',
    entities: ['identity.roster'],
    events: [rosterEvents.pick('MemberRemoved')],
    async react(event, store) {
      const { user } = event.data;
      const scope = context.scope(store);
      await waitForProjections(scope, event, [members]);
      await endSessionsWithin(scope, user, event.entityId);
      announcer.changed(user);
    },
  });
}
