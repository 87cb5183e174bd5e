import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { siteRemoval } from '../model/index.js';
import { dropInsights } from './insights.operational.js';

/** What was counted of a deleted site is removed. */
export function insightsOfDeletedSites(context: ServiceContext): Reactor {
  return reactor({
    name: 'insights_of_deleted_sites',
    entities: ['directory'],
    events: [...siteRemoval],
    react: async ({ data: { site } }) => dropInsights(context, site),
  });
}
