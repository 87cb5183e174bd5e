import { createCentroids, isRelabelDue, labelOf, vectorOf, weightsOf, type Weights } from '@scriptorium/clustering';
import { keyedEntries } from '@scriptorium/event-sourcing';
import { changeClusters, issues, storeDescriptions, type Clusters, type LivingCluster } from '../clusters/index.js';
import type { Described } from './assign.process.js';
import { findCentroid } from './centroids.operational.js';
import type { Analysing } from './analysing.process.js';
import { descriptionEvent, descriptionName } from './extract-step.process.js';
import { readIssues } from './issue-texts.process.js';

/** Clusters that one step describes, and the newest issues of each that are looked at. */
const [clustersInStep, mostIssues] = [20, 200];

type Due = LivingCluster & { id: string };

/**
 * Describes the next clusters that have no label, or have doubled since: those with higher numbers than `after`.
 * Resolves to the number after which it goes on; nothing when those were the last ones. A cluster that cannot be
 * described, because its texts are being deleted, is passed over.
 */
export async function describeStep(
  { context, store, organization, table }: Analysing,
  after: number,
): Promise<number | undefined> {
  const weights = weightsOf(table);
  let next: number | undefined;
  await changeClusters(context.scope(store), organization, 'describe', async (state) => {
    const due = dueClusters(state, after);
    next = due.next;
    const described: Described[] = [];
    for (const one of due.clusters) {
      const found = await describe(store, { context, organization, weights }, one);
      if (found !== undefined) described.push(found);
    }
    const texts = described.map((one) => ({ ...one, text: descriptionName(store, state, one.cluster) }));
    await storeDescriptions(context, organization, texts);
    return texts.map(descriptionEvent);
  });
  return next;
}

/** Label and summary of a cluster, made from its newest issues. */
async function describe(
  store: Analysing['store'],
  { context, organization, weights }: Pick<Analysing, 'context' | 'organization'> & { weights: Weights },
  { id, size, changedAt: since }: Due,
): Promise<Described | undefined> {
  const newest = await store
    .read(issues)
    .find({ cluster: id }, { sort: { createdAt: -1, _id: -1 }, limit: mostIssues })
    .toArray();
  const read = (await readIssues(context, newest)).map(({ doc, issue }) => ({
    id: doc._id,
    ...issue,
    vector: vectorOf(issue.terms, weights),
  }));
  const stored = await findCentroid(context, { organization, id }, { table: weights.version, since });
  const centroid = createCentroids('terms', stored === undefined ? [] : [stored]);
  if (stored === undefined) for (const { vector } of read) centroid.add(1, vector);
  const middle = centroid.centroidOf(stored?.cluster ?? 1);
  const label = middle === undefined ? undefined : labelOf(middle, read);
  // An empty label says less than the number of the cluster, which is shown while there is none.
  if (label === undefined || label.label === '') return undefined;
  return { cluster: id, size, description: { ...label, of: read.map((issue) => issue.id) } };
}

/** The next clusters that are to be described, and the number after which it goes on with others. */
export function dueClusters({ living }: Clusters, after: number): { clusters: Due[]; next: number | undefined } {
  const due = keyedEntries(living)
    .map(([id, cluster]) => ({ id, ...cluster }))
    .filter(({ number, size, described, byUser }) => {
      return number > after && !byUser && isRelabelDue(size, described ?? undefined);
    })
    .sort((a, b) => a.number - b.number);
  const clusters = due.slice(0, clustersInStep);
  return { clusters, next: due.length > clusters.length ? clusters.at(-1)?.number : undefined };
}
