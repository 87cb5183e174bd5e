import {
  createCentroids,
  isRelabelDue,
  labelOf,
  maskPersonal,
  termsEmbedder,
  vectorOf,
  weightsOf,
  type AnalyzedIssue,
  type ClusterLabel,
  type TermVector,
  type Vector,
  type Weights,
} from '@scriptorium/clustering';
import { keyedEntries, keyedGet } from '@scriptorium/event-sourcing';
import {
  changeClusters,
  issues,
  presentClusters,
  storeDescriptions,
  type Clusters,
  type LivingCluster,
} from '../clusters/index.js';
import { ModelFailure, type Chat } from '../models/index.js';
import { chatOf, type Asking } from './ask-issues.process.js';
import type { Described } from './assign.process.js';
import { findCentroid } from './centroids.operational.js';
import type { Analysing } from './analysing.process.js';
import { descriptionEvent, descriptionName } from './extract-step.process.js';
import { readIssues } from './issue-texts.process.js';

/** Clusters that one step describes, and those of them at a time. */
const [clustersInStep, atOnce] = [16, 4];
/** The newest issues of a cluster that are looked at, and those that a model is sent. */
const [mostIssues, mostSent] = [200, 30];

type Due = LivingCluster & { id: string };

/**
 * Describes the next clusters that have no label, or have doubled since: those with higher numbers than `after`.
 * Resolves to the number after which it goes on; nothing when those were the last ones. A cluster that cannot be
 * described, because its texts are being deleted, is passed over, and so is one that changes meanwhile.
 */
export async function describeStep(analysing: Analysing, asking: Asking, after: number): Promise<number | undefined> {
  const { context, store, organization } = analysing;
  const due = dueClusters(await presentClusters(store, organization), after);
  const chat = await chatOf(analysing, asking);
  const described: (Described & Pick<Due, 'changedAt'>)[] = [];
  for (let start = 0; start < due.clusters.length; start += atOnce) {
    const some = due.clusters.slice(start, start + atOnce).map(async (one) => describe(analysing, chat, one));
    described.push(...(await Promise.all(some)).filter((made) => made !== undefined));
  }
  if (described.length > 0)
    await changeClusters(context.scope(store), organization, 'describe', async (state) => {
      const texts = described
        .filter((made) => isAsItWas(state, made))
        .map((one) => ({ ...one, text: descriptionName(store, state, one.cluster) }));
      await storeDescriptions(context, organization, texts);
      return texts.map(descriptionEvent);
    });
  return due.next;
}

/** Whether the issues of a cluster are those of which it was described, and no person has described it since. */
function isAsItWas({ living }: Clusters, { cluster, changedAt }: { cluster: string; changedAt: number }): boolean {
  const known = keyedGet(living, cluster);
  return known?.changedAt === changedAt && !known.byUser;
}

/** Label and summary of a cluster, made from its newest issues. */
async function describe(
  { context, store, organization, table, signal }: Analysing,
  chat: Chat | undefined,
  { id, size, changedAt }: Due,
): Promise<(Described & Pick<Due, 'changedAt'>) | undefined> {
  const weights = weightsOf(table);
  const newest = await store
    .read(issues)
    .find({ cluster: id }, { sort: { createdAt: -1, _id: -1 }, limit: mostIssues })
    .toArray();
  const read = (await readIssues(context, newest)).map(({ doc, issue }) => ({
    id: doc._id,
    ...issue,
    vector: vectorOf(issue.terms, weights),
  }));
  const said = read.length > 1 ? await labelOfModel({ context, organization, signal }, chat, read) : undefined;
  const centroid = await centroidOf(context, { organization, id, since: changedAt, weights }, read);
  const label = said ?? (centroid === undefined ? undefined : labelOf(centroid, read));
  // An empty label says less than the number of the cluster, which is shown while there is none.
  if (label === undefined || label.label === '') return undefined;
  const description = { ...label, of: read.map((issue) => issue.id) };
  return { cluster: id, size, changedAt, analyzer: said === undefined ? 'extractive' : 'chat', description };
}

/** The centroid of a cluster: the stored one, or that of its newest issues. */
async function centroidOf(
  context: Analysing['context'],
  { organization, id, since, weights }: { organization: string; id: string; since: number; weights: Weights },
  read: readonly { vector: TermVector }[],
): Promise<Vector | undefined> {
  const stored = await findCentroid(context, { organization, id }, { version: termsEmbedder(weights).version, since });
  const centroid = createCentroids('terms', stored === undefined ? [] : [stored]);
  if (stored === undefined) for (const { vector } of read) centroid.add(1, vector);
  return centroid.centroidOf(stored?.cluster ?? 1);
}

/** What a model says of a cluster; nothing when that cannot be used. */
async function labelOfModel(
  { context, organization, signal }: Pick<Analysing, 'context' | 'organization' | 'signal'>,
  chat: Chat | undefined,
  read: readonly AnalyzedIssue[],
): Promise<ClusterLabel | undefined> {
  if (chat === undefined) return undefined;
  try {
    // What was found before masks knew a form is masked now.
    const sent = read.slice(0, mostSent).map(({ title, summary }) => ({
      title: maskPersonal(title),
      summary: maskPersonal(summary),
    }));
    return await chat.labelOf(sent, signal);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    context.logger.warn({ organization, why: error.message }, 'the language model gave no label');
    return undefined;
  }
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
