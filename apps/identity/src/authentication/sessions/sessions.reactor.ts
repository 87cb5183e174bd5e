import { waitForProjections, type Announcer, type ServiceContext } from '@scriptorium/platform';
import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { endSessionsWithin } from '../../accounts/index.js';
import { rosterEvents } from '../../events/index.js';
import { members } from '../../organization-read-models/index.js';

type Announcing = [context: ServiceContext, announcer: Announcer];

/** Ends the sessions that an organization's provider began for a member who is removed. */
export function removedMembersReactor(...announcing: Announcing): Reactor {
  return endedSessionsReactor('sessions_of_removed_members', 'MemberRemoved', announcing);
}

/** Ends those of a member who is disabled. */
export function disabledMembersReactor(...announcing: Announcing): Reactor {
  return endedSessionsReactor('sessions_of_disabled_members', 'MemberDisabled', announcing);
}

function endedSessionsReactor(
  name: string,
  cause: 'MemberRemoved' | 'MemberDisabled',
  [context, announcer]: Announcing,
): Reactor {
  return reactor({
    name,
    version: 1,
    from: 'now',
    entities: ['identity.roster'],
    events: [rosterEvents.pick(cause)],
    async react(event, store) {
      const { user } = event.data;
      const scope = context.scope(store);
      await waitForProjections(scope, event, [members]);
      await endSessionsWithin(scope, user, event.entityId);
      announcer.changed(user);
    },
  });
}
