import {
  gatherIssues,
  isGatherDue,
  mergesOf,
  thresholdsOf,
  vectorOf,
  type Centroids,
  type ClusterChange,
  type ClusterFacts,
  type SimilarPair,
} from '@scriptorium/clustering';
import { keyedEntries, type Stored } from '@scriptorium/event-sourcing';
import {
  byConversation,
  changeClusters,
  changedCounts,
  clusterDocuments,
  issues,
  issuesOfConversations,
  mergeEvent,
  placeOfIssue,
  staysEmpty,
  type ClusterEvent,
  type Clusters,
  type IssueDocument,
  type LivingCluster,
} from '../clusters/index.js';
import type { KnownCentroids } from './centroid-cache.process.js';
import type { Analysing } from './analysing.js';
import { touchedBy } from './extract-step.process.js';
import { readIssues } from './issue-texts.process.js';
import { weightTableOf } from './weights.operational.js';

/** Issues after which clusters are merged and gathered. */
const issuesBetween = 1_000;
/** Clusters that are compared with all others at a time. */
const comparedAtOnce = 25;
/** Issues of one event. */
const atOnce = 200;
/** Small clusters that are gathered in one step. */
const mostSmall = 500;
const dayMs = 86_400_000;

interface Facts extends ClusterFacts {
  idOf(cluster: number): string;
  staysEmpty(cluster: number): boolean;
  living: ReadonlyMap<number, LivingCluster & { id: string }>;
}

/** Whether clusters are to be merged and gathered: after 1,000 new issues, or because it is night. */
export function isRegroupDue({ extracted, regroupedAt }: Clusters, isNight: boolean): boolean {
  return extracted - regroupedAt >= issuesBetween || (isNight && extracted > 0);
}

/** Merges clusters that are alike, or gathers small ones. */
export async function regroupStep(analysing: Analysing, kind: 'merge' | 'gather'): Promise<void> {
  const { context, cache, store, organization } = analysing;
  const { table } = await weightTableOf(context, organization);
  let known: KnownCentroids | undefined;
  const done = await changeClusters(context.scope(store), organization, kind, async (state) => {
    known = await cache.take({ database: context.database, store }, organization, state, table);
    const facts = factsOf(state);
    if (kind === 'merge') return merge(analysing, known.centroids, facts);
    const events = await gather(analysing, known, { state, facts });
    return [...events, { type: 'ClustersRegrouped', data: {} }];
  });
  if (known !== undefined && !done.repeated)
    cache.keep(organization, known, { state: done.state, touched: touchedBy(done.events) });
}

function factsOf(state: Clusters): Facts {
  const living = new Map(keyedEntries(state.living).map(([id, one]) => [one.number, { id, ...one }]));
  return {
    living,
    sizeOf: (cluster) => living.get(cluster)?.size ?? 0,
    isPinned: (cluster) => living.get(cluster)?.pinned === true || living.get(cluster)?.byUser === true,
    staysEmpty(cluster) {
      const known = living.get(cluster);
      return known !== undefined && staysEmpty(known);
    },
    idOf: (cluster) => living.get(cluster)?.id ?? '',
  };
}

async function merge({ store }: Analysing, centroids: Centroids, facts: Facts): Promise<ClusterEvent[]> {
  const events: ClusterEvent[] = [];
  for (const { into, from } of mergesOf(await similarPairs(centroids), (cluster) => facts.isPinned(cluster))) {
    const docs = await store.read(clusterDocuments).byIds([facts.idOf(from), facts.idOf(into)]);
    const [source, target] = [from, into].map((cluster) => docs.find(({ _id }) => _id === facts.idOf(cluster)));
    if (source === undefined || target === undefined) continue;
    centroids.unite(into, from);
    events.push(await mergeEvent(store, { from: source, into: target }, 'analysis'));
  }
  return events;
}

/** The pairs of clusters that are alike. Other requests are answered in between. */
async function similarPairs(centroids: Centroids): Promise<SimilarPair[]> {
  const pairs: SimilarPair[] = [];
  const numbers = centroids.numbers();
  for (let start = 0; start < numbers.length; start += comparedAtOnce) {
    pairs.push(...centroids.similarPairs(thresholdsOf('terms').merge, numbers.slice(start, start + comparedAtOnce)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return pairs;
}

async function gather(
  { context, store }: Analysing,
  { centroids, weights }: KnownCentroids,
  { state, facts }: { state: Clusters; facts: Facts },
): Promise<ClusterEvent[]> {
  const due = [...facts.living.values()].filter((cluster) =>
    isGatherDue({
      size: cluster.size,
      isPinned: facts.isPinned(cluster.number),
      issuesSince: state.extracted - cluster.grewAt,
      daysSince: (context.now() - Date.parse(cluster.grewOn)) / dayMs,
    }),
  );
  const wanted = due.slice(0, mostSmall).map(({ id }) => id);
  if (wanted.length === 0) return [];
  const docs = await store
    .read(issues)
    .find({ cluster: { $in: wanted }, moved: false })
    .toArray();
  const numbers = new Map(due.map(({ id, number }) => [id, number]));
  const small = (await readIssues(context, docs)).map(({ doc, issue }) => ({
    issue: doc._id,
    cluster: numbers.get(doc.cluster ?? '') ?? 0,
    vector: vectorOf(issue.terms, weights),
  }));
  const changes = gatherIssues(centroids, small, facts);
  return gatherEvents(changes, { facts, docs, all: await issuesOfConversations(store, docs.map(conversationOf)) });
}

const conversationOf = ({ conversation }: IssueDocument): string => conversation;

/** Gathered issues in events of at most 200; counts are those between one event and the next. */
function gatherEvents(
  changes: readonly ClusterChange[],
  { facts, docs, all }: { facts: Facts; docs: readonly Stored<IssueDocument>[]; all: readonly Stored<IssueDocument>[] },
): ClusterEvent[] {
  const from = new Map(docs.map(({ _id, cluster }) => [_id, cluster ?? '']));
  let places = all.map(placeOfIssue);
  return changes.flatMap((change): ClusterEvent[] => {
    if (change.type === 'removed')
      return facts.staysEmpty(change.cluster)
        ? []
        : [{ type: 'ClusterRemoved', data: { cluster: facts.idOf(change.cluster) } }];
    if (change.type !== 'clustered') return [];
    const gathered = change.issues.slice(0, atOnce).map(({ issue, cluster, similarity }) => ({
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
