import { organizationFacts } from '@scriptorium/access';
import { reactor, type Reactor, type TimerHandler } from '@scriptorium/event-sourcing';
import { requireLive, waitForProjections, type ServiceContext } from '@scriptorium/platform';
import { clusterDocuments, clusterEvents } from '../clusters/index.js';
import { conversationEvents, conversations, ingestionEvents } from '../conversations/index.js';
import { nextMoment, scheduleAnalysis, scheduleNight } from './analysis.timer.js';
import { dropCentroids } from './centroids.operational.js';

/** Moments that are remembered, each for one organization. */
const mostMoments = 1_000;

/**
 * What was said is analysed, also when the request that has sent it ended before it was finished. The analysis finds
 * conversations in their read model, so it begins when that shows them: otherwise it would find nothing, and nothing
 * would begin another one.
 */
export function saidReactor(context: ServiceContext): Reactor {
  const scheduled = new Map<string, number>();
  return reactor({
    name: 'analysis_of_conversations',
    entities: ['conversation'],
    events: [conversationEvents.pick('ConversationIngested', 'ConversationReplaced')],
    react: async ({ meta: { organization }, position, type }, store) => {
      if (organization === null) return;
      await waitForProjections({ store }, { position, type }, [conversations]);
      const now = context.now();
      if (scheduled.get(organization) === nextMoment(now)) return;
      await scheduleAnalysis(store, organization, { now });
      if (scheduled.size >= mostMoments) scheduled.clear();
      scheduled.set(organization, nextMoment(now));
    },
  });
}

/** What was ingested is analysed at night, too. */
export function ingestedReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'analysis_of_ingested_conversations',
    entities: ['ingestion'],
    events: [ingestionEvents],
    react: async ({ entityId: organization }, store) => {
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
    react: async ({ entityId: organization, position, type, data: { counts } }, store) => {
      await dropCentroids(
        context,
        organization,
        counts.map(({ cluster }) => cluster),
      );
      await waitForProjections({ store }, { position, type }, [clusterDocuments]);
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
