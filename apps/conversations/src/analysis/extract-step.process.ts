import { weightsOf } from '@scriptorium/clustering';
import { AppError } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { derivedId } from '@scriptorium/platform';
import {
  changeClusters,
  issuesOfConversations,
  storeDescriptions,
  withdrawOutdatedIssues,
  type ClusterEvent,
  type Clusters,
} from '../clusters/index.js';
import { storeTexts, type TextPart } from '../texts/index.js';
import { dropAnswers } from './answers.operational.js';
import { assignIssues, newIssues, type Described, type NewIssue } from './assign.process.js';
import type { Analysing } from './analysing.process.js';
import type { KnownCentroids } from './load-centroids.process.js';
import { extract, type Extracted } from './extract.process.js';
import { finishConversations } from './finish.process.js';
import { issueText } from './issue-texts.process.js';
import { vectorsOf } from './vectors.process.js';
import { recordedIssues, type Waiting } from './waiting.queries.js';

/** Finds and clusters the issues of waiting conversations. Resolves to how many there were. */
export async function extractStep(analysing: Analysing, waiting: readonly Waiting[]): Promise<number> {
  const { context, store, organization, table } = analysing;
  if (waiting.length === 0) return 0;
  // Issues are taken out before others are assigned: clusters that go with them get no new ones.
  await withdrawOutdatedIssues(
    context.scope(store),
    organization,
    waiting.map(({ _id: conversation, text }) => ({ conversation, text })),
  );
  const recorded = await recordedIssues(store, waiting);
  const fresh = waiting.filter(({ _id }) => !recorded.has(_id));
  const extracted = await extract(context, fresh, table);
  const events = await recordIssues(analysing, extracted);
  const analysed = events.flatMap((event) => (event.type === 'IssuesExtracted' ? event.data.analysed : []));
  const finished = [...analysed, ...recorded.values()];
  await finishConversations(analysing, finished);
  await dropAnswers(
    context,
    finished.map(({ conversation: _id, text }) => ({ organization, _id, text })),
  );
  return extracted.length + recorded.size;
}

/** Records issues and where they stand. */
async function recordIssues(analysing: Analysing, extracted: readonly Extracted[]): Promise<readonly ClusterEvent[]> {
  const { context, cache, store, organization, table } = analysing;
  if (extracted.length === 0) return [];
  const placed = newIssues(extracted).map((one) => ({ ...one, place: textOf(organization, one) }));
  await storeTexts(
    context,
    placed.map(({ place, issue }) => ({ ...place, value: issue })),
  );
  const vectors = await vectorsOf(
    analysing,
    placed.map(({ place: part, issue }) => ({ part, issue })),
  );
  const found = placed.flatMap((one, index) => {
    const vector = vectors[index];
    return vector === undefined ? [] : [{ ...one, vector }];
  });
  const weights = weightsOf(table);
  let known: KnownCentroids | undefined;
  const done = await changeClusters(context.scope(store), organization, 'extract', async (state) => {
    await requireNoIssues(store, extracted);
    known = await cache.take(analysing, state);
    const { events, described } = await assignIssues(state, known, { organization, extracted, found, weights });
    const texts = described.map((one) => ({ ...one, text: descriptionName(store, state, one.cluster) }));
    await storeDescriptions(context, organization, texts);
    return [...events, ...texts.map(descriptionEvent)];
  });
  if (known !== undefined && !done.repeated)
    cache.keep(organization, known, { state: done.state, touched: touchedBy(done.events) });
  return done.events;
}

function textOf(organization: string, { part, of: { conversation } }: Omit<NewIssue, 'vector'>): TextPart {
  return issueText({ organization, conversation: conversation._id, text: conversation.text, part });
}

/** The read models that were asked before may have been behind. @throws AppError `unavailable`: the step is repeated */
async function requireNoIssues(store: StoreScope, extracted: readonly Extracted[]): Promise<void> {
  const conversationIds = extracted.map(({ conversation: { _id } }) => _id);
  if ((await issuesOfConversations(store, conversationIds)).length > 0)
    throw new AppError('unavailable', [], { message: 'The issues of a conversation have changed, try again' });
}

/** The name of a description that is made in one state of the clusters: another state has another one. */
export function descriptionName(store: StoreScope, { changes }: Clusters, cluster: string): string {
  return derivedId(cluster, store.context.idem ?? '', String(changes));
}

/** The event of a description that a model or this product has made. */
export function descriptionEvent({
  cluster,
  text,
  size,
  analyzer,
}: Pick<Described, 'cluster' | 'size' | 'analyzer'> & { text: string }): ClusterEvent {
  return { type: 'ClusterDescribed', data: { cluster, text, by: 'analyzer', size, analyzer } };
}

/** The clusters whose issues changed by these events. */
export function touchedBy(events: readonly ClusterEvent[]): string[] {
  const touched = events.flatMap((event) => {
    const counted = 'counts' in event.data ? event.data.counts.map(({ cluster }) => cluster) : [];
    return event.type === 'ClustersMerged' ? [...counted, ...event.data.from] : counted;
  });
  return [...new Set(touched)];
}
