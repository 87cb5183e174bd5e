import { gatherIssues, isGatherDue, type ClusterChange } from '@scriptorium/clustering';
import type { Stored } from '@scriptorium/event-sourcing';
import {
  byConversation,
  changeClusters,
  changedCounts,
  issues,
  issuesOfConversations,
  placeOfIssue,
  presentClusters,
  type ClusterEvent,
  type Clusters,
  type IssueDocument,
  type LivingCluster,
} from '../clusters/index.js';
import type { Analysing } from './analysing.process.js';
import type { KnownCentroids } from './load-centroids.process.js';
import { factsOf, type LivingFacts } from './cluster-facts.js';
import { touchedBy } from './extract-step.process.js';
import { issueText, readIssues } from './issue-texts.process.js';
import { vectorsOf } from './vectors.process.js';

/** Issues of one event. */
const issuesOfEvent = 200;
/** Small clusters that are gathered in one step; they have at most 5 issues each. */
const clustersInStep = 100;
/** Clusters that are gathered before other requests are answered. */
const clustersAtOnce = 10;
const dayMs = 86_400_000;

type Small = LivingCluster & { id: string };

/**
 * Gathers the next small clusters, those with higher numbers than `after`, into larger ones. Resolves to the number
 * after which it goes on; nothing when that was the last one.
 */
export async function gatherStep(analysing: Analysing, after: number): Promise<number | undefined> {
  const { context, cache, store, organization } = analysing;
  const small = dueClusters(analysing, await presentClusters(store, organization), after);
  let known: KnownCentroids | undefined;
  const done = await changeClusters(context.scope(store), organization, 'gather', async (state) => {
    known = await cache.take(analysing, state);
    const events = await gather(analysing, known, { facts: factsOf(state), small: small.slice(0, clustersInStep) });
    const isLast = small.length <= clustersInStep;
    // A night in which nothing came is not worth an event.
    const regrouped: ClusterEvent[] = [{ type: 'ClustersRegrouped', data: {} }];
    return [...events, ...(isLast && state.extracted > state.regroupedAt ? regrouped : [])];
  });
  if (known !== undefined && !done.repeated)
    cache.keep(organization, known, { state: done.state, touched: touchedBy(done.events) });
  return small.length <= clustersInStep ? undefined : small[clustersInStep - 1]?.number;
}

/** The clusters that are to be gathered, in the order of their numbers. */
function dueClusters({ context }: Analysing, state: Clusters, after: number): Small[] {
  const facts = factsOf(state);
  return [...facts.living.values()]
    .filter(({ number }) => number > after)
    .filter((cluster) =>
      isGatherDue({
        size: cluster.size,
        isPinned: facts.isPinned(cluster.number),
        issuesSince: state.extracted - cluster.grewAt,
        daysSince: (context.now() - Date.parse(cluster.grewOn)) / dayMs,
      }),
    )
    .sort((a, b) => a.number - b.number);
}

async function gather(
  analysing: Analysing,
  { centroids }: KnownCentroids,
  { facts, small: due }: { facts: LivingFacts; small: readonly Small[] },
): Promise<ClusterEvent[]> {
  const { context, store } = analysing;
  const wanted = due.map(({ id }) => id);
  if (wanted.length === 0) return [];
  const docs = await store
    .read(issues)
    .find({ cluster: { $in: wanted }, moved: false })
    .toArray();
  const numbers = new Map(due.map(({ id, number }) => [id, number]));
  const read = (await readIssues(context, docs)).map(({ doc, issue }) => ({ doc, part: issueText(doc), issue }));
  const small = (await vectorsOf(analysing, read)).map((vector, index) => ({
    issue: read[index]?.doc._id ?? '',
    cluster: numbers.get(read[index]?.doc.cluster ?? '') ?? 0,
    vector,
  }));
  const changes: ClusterChange[] = [];
  for (let start = 0; start < due.length; start += clustersAtOnce) {
    const some = new Set(due.slice(start, start + clustersAtOnce).map(({ number }) => number));
    const together = small.filter(({ cluster }) => some.has(cluster));
    changes.push(...gatherIssues(centroids, together, facts));
    // Other requests are answered in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return gatherEvents(changes, { facts, docs, all: await issuesOfConversations(store, docs.map(conversationOf)) });
}

const conversationOf = ({ conversation }: IssueDocument): string => conversation;

/** Gathered issues in events of at most 200; counts are those between one event and the next. */
function gatherEvents(
  changes: readonly ClusterChange[],
  {
    facts,
    docs,
    all,
  }: { facts: LivingFacts; docs: readonly Stored<IssueDocument>[]; all: readonly Stored<IssueDocument>[] },
): ClusterEvent[] {
  const from = new Map(docs.map(({ _id, cluster }) => [_id, cluster ?? '']));
  let places = all.map(placeOfIssue);
  return changes.flatMap((change): ClusterEvent[] => {
    if (change.type === 'removed')
      return facts.staysEmpty(change.cluster)
        ? []
        : [{ type: 'ClusterRemoved', data: { cluster: facts.idOf(change.cluster) } }];
    if (change.type !== 'clustered') return [];
    const gathered = change.issues.slice(0, issuesOfEvent).map(({ issue, cluster, similarity }) => ({
      issue,
      from: from.get(issue) ?? '',
      cluster: facts.idOf(cluster),
      similarity: Math.min(similarity, 1),
    }));
    const targets = new Map(gathered.map(({ issue, cluster }) => [issue, cluster]));
    const after = places.map((place) => ({ ...place, cluster: targets.get(place.issue) ?? place.cluster }));
    const counts = changedCounts(byConversation(places), byConversation(after));
    places = after;
    return [{ type: 'IssuesGathered', data: { issues: gathered, counts } }];
  });
}
