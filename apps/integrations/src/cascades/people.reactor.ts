import { erasureEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { dropTracesOf } from '../dispatch/index.js';

/** What is known of calls that were made for a person goes with them: a script may have written about them. */
export function erasedPeopleReactor(context: Pick<ServiceContext, 'database'>): Reactor {
  return reactor({
    name: 'traces_of_erased_people',
    entities: ['identity.erasure'],
    events: [defineEvents(erasureEventSchemas).pick('UserErased')],
    react: ({ data }) => dropTracesOf(context, data.user),
  });
}
