import { defineDomain } from '@scriptorium/platform';
import { insightsOfDeletedSites } from './deleted-sites.reactor.js';
import { InsightCounter, sweepInsightsCommand } from './counting.process.js';
import { InsightsController } from './insights.controller.js';
import { insightIndexes } from './insights.operational.js';
import { VisitAnnouncer } from './visit-announcer.process.js';
import { sweepInsights } from './sweep-insights.timer.js';

/** How often sites are viewed, searched and rated. */
export const insights = defineDomain({
  name: 'insights',
  controllers: [InsightsController],
  objects: ({ context }) => [new InsightCounter(context), new VisitAnnouncer(context)],
  timers: ({ context }) => ({ [sweepInsightsCommand]: sweepInsights(context) }),
  reactors: ({ context }) => [insightsOfDeletedSites(context)],
  indexes: insightIndexes,
});
