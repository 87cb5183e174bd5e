import { createCentroids, isRelabelDue, labelOf, vectorOf, weightsOf, type Weights } from '@scriptorium/clustering';
import { keyedEntries } from '@scriptorium/event-sourcing';
import { changeClusters, issues, storeDescriptions, type Clusters } from '../clusters/index.js';
import type { Described } from './assign.process.js';
import { findCentroid } from './centroids.operational.js';
import type { Analysing } from './analysing.js';
import { descriptionEvent, descriptionName } from './extract-step.process.js';
import { readIssues } from './issue-texts.process.js';
import { weightTableOf } from './weights.operational.js';

/** Clusters that one step describes, and the newest issues of each that are looked at. */
const [atOnce, mostIssues] = [20, 200];
/** Describes clusters that have no label, or have doubled since. Resolves to whether there may be more. */
export async function describeStep({ context, store, organization }: Analysing): Promise<boolean> {
  const { table } = await weightTableOf(context, organization);
  const weights = weightsOf(table);
  let isMore = false;
  await changeClusters(context.scope(store), organization, 'describe', async (state) => {
    const due = dueClusters(state);
    isMore = due.length > atOnce;
    const described: Described[] = [];
    for (const one of due.slice(0, atOnce)) {
      const found = await describe(store, { context, organization, weights }, one);
      if (found !== undefined) described.push(found);
    }
    const texts = described.map((one) => ({ ...one, text: descriptionName(store, state, one.cluster) }));
    await storeDescriptions(context, organization, texts);
    return texts.map(descriptionEvent);
  });
  return isMore;
}

/** Label and summary of a cluster, made from its newest issues. */
async function describe(
  store: Analysing['store'],
  { context, organization, weights }: Pick<Analysing, 'context' | 'organization'> & { weights: Weights },
  { id, size }: { id: string; size: number },
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
  const stored = await findCentroid(context, organization, id);
  const centroid = createCentroids('terms', stored === undefined ? [] : [stored]);
  if (stored === undefined) for (const { vector } of read) centroid.add(1, vector);
  const middle = centroid.centroidOf(stored?.cluster ?? 1);
  if (middle === undefined) return undefined;
  return { cluster: id, size, description: { ...labelOf(middle, read), of: read.map((issue) => issue.id) } };
}

function dueClusters({ living }: Clusters): { id: string; size: number }[] {
  return keyedEntries(living)
    .filter(([, { size, described, byUser }]) => !byUser && isRelabelDue(size, described ?? undefined))
    .map(([id, { size }]) => ({ id, size }));
}
