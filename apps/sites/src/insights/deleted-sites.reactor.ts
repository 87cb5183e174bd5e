import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { directoryEvents } from '../events/index.js';
import { dropInsights } from './insights.operational.js';

/** What was counted of a deleted site is removed. */
export function insightsOfDeletedSites(context: ServiceContext): Reactor {
  return reactor({
    name: 'insights_of_deleted_sites',
    entities: ['directory'],
    events: [directoryEvents.pick('SiteDeleted')],
    react: async ({ data: { site } }) => dropInsights(context, site),
  });
}
