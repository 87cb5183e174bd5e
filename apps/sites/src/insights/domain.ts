import { defineDomain } from '@scriptorium/platform';
import { insightsOfDeletedSites } from './deleted-sites.reactor.js';
import { InsightsController } from './insights.controller.js';
import { insightIndexes } from './insights.operational.js';

/** How often sites are viewed, searched and rated. */
export const insights = defineDomain({
  name: 'insights',
  controllers: [InsightsController],
  reactors: ({ context }) => [insightsOfDeletedSites(context)],
  indexes: insightIndexes,
});
