import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { dropDigests } from './digests/digests.operational.js';
import { erasureEvents, rosterEvents } from './notices/identity.events.js';
import { dropReadMarks } from './inbox/read-marks.operational.js';
import { dropSettings, type PeopleFilter } from './settings.operational.js';

/**
 * With a person, a membership or an organization their settings and digests go, and with a person what they have read.
 */
export function forgottenPeopleReactor(context: ServiceContext): Reactor {
  const drop = async (of: PeopleFilter): Promise<void> => {
    await dropSettings(context, of);
    await dropDigests(context, of);
  };
  return reactor({
    name: 'forgotten_notified_people',
    entities: ['identity.roster', 'identity.erasure'],
    events: [rosterEvents.pick('MemberRemoved', 'RosterClosed'), erasureEvents],
    async react({ type, data, entityId }) {
      switch (type) {
        case 'MemberRemoved':
          return drop({ organization: entityId, user: data.user });
        case 'RosterClosed':
          return drop({ organization: entityId });
        case 'UserErased':
          await dropReadMarks(context, data.user);
          return drop({ user: data.user });
      }
    },
  });
}
