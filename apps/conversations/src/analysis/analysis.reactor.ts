import { organizationFacts } from '@scriptorium/access';
import { reactor, type Reactor, type TimerHandler } from '@scriptorium/event-sourcing';
import { requireLive, type ServiceContext } from '@scriptorium/platform';
import { clusterDocuments, clusterEvents } from '../clusters/index.js';
import { ingestionEvents } from '../conversations/index.js';
import { scheduleAnalysis, scheduleNight } from './analysis.timer.js';
import { dropCentroids } from './centroids.operational.js';

/** What was ingested is analysed. */
export function ingestedReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'analysis_of_ingested_conversations',
    entities: ['ingestion'],
    events: [ingestionEvents],
    react: async ({ entityId: organization }, store) => {
      await scheduleAnalysis(store, organization, { now: context.now() });
      await scheduleNight(store, organization, context.now());
    },
  });
}

/** What was made from issues that are gone is made again: centroids, and labels of clusters that lost theirs. */
export function retractedReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'analysis_after_retracted_issues',
    entities: ['clusters'],
    events: [clusterEvents.pick('IssuesRetracted', 'IssuesMoved')],
    react: async ({ entityId: organization, data: { counts } }, store) => {
      await dropCentroids(
        context,
        organization,
        counts.map(({ cluster }) => cluster),
      );
      await scheduleAnalysis(store, organization, { now: context.now() });
    },
  });
}

/** Does at night what is due, and comes back as long as the organization has clusters. */
export function nightTimer(context: ServiceContext): TimerHandler {
  return async ({ at, organization }, store) => {
    requireLive(store, [clusterDocuments, organizationFacts]);
    if (organization === null) return;
    const facts = await store.read(organizationFacts).byId(organization);
    const one = await store.read(clusterDocuments).findOne({ organization });
    if (facts?.deleted === true || one === null) return;
    const now = Math.max(at, context.now());
    await scheduleAnalysis(store, organization, { now, isNight: true });
    await scheduleNight(store, organization, now);
  };
}
