import type { StoreScope } from '@scriptorium/event-sourcing';
import { derivedId, requireVisible, type ServiceContext } from '@scriptorium/platform';
import {
  changeClusters,
  clusterEvents,
  describedFrom,
  dropDescriptions,
  issuesOfConversations,
  lostDescriptions,
  retractions,
  storeDescriptions,
  withdrawIssues,
  type ClusterEvent,
} from '../clusters/index.js';
import { conversation, conversationEvents, conversations, finish } from '../conversations/index.js';
import { dropTexts, storeTexts } from '../texts/index.js';
import { assignIssues, newIssues, type Described } from './assign.process.js';
import type { CentroidCache, KnownCentroids } from './centroid-cache.process.js';
import { extract, type Extracted } from './extract.process.js';
import { issueText } from './issue-texts.process.js';
import { weightTableOf } from './weights.operational.js';

/** Conversations of one step, and bytes of what is said in them. */
const [mostConversations, mostBytes] = [100, 2 * 1024 * 1024];
const atOnce = 32;

/** What one step of the analysis works with. */
export interface Analysing {
  context: ServiceContext;
  cache: CentroidCache;
  store: StoreScope;
  organization: string;
}

/** Finds and clusters the issues of the oldest conversations that wait for it. Resolves to how many there were. */
export async function extractStep(analysing: Analysing): Promise<number> {
  const { context, store, organization } = analysing;
  const waiting = await nextConversations(store, organization);
  if (waiting.length === 0) return 0;
  const { table } = await weightTableOf(context, organization);
  const extracted = await extract(context, waiting, table);
  const events = await recordIssues(analysing, extracted);
  await finishConversations(analysing, events);
  return waiting.length;
}

async function nextConversations(store: StoreScope, organization: string) {
  const filter = { organization, processed: false };
  const found = await store
    .read(conversations)
    .find(filter, { sort: { createdAt: 1, _id: 1 }, limit: mostConversations })
    .toArray();
  let room = mostBytes;
  return found.filter(({ bytes }, index) => {
    room -= bytes;
    return index === 0 || room >= 0;
  });
}

/** Records issues and where they stand. Those of what the conversations said before are taken out. */
async function recordIssues(analysing: Analysing, extracted: readonly Extracted[]): Promise<readonly ClusterEvent[]> {
  const { context, cache, store, organization } = analysing;
  const found = newIssues(extracted);
  await storeTexts(
    context,
    found.map(({ part, of: { conversation: of }, issue }) => ({
      ...issueText({ organization, conversation: of._id, text: of.text, part }),
      value: issue,
    })),
  );
  const { table } = await weightTableOf(context, organization);
  let known: KnownCentroids | undefined;
  const done = await changeClusters(store, organization, 'extract', async (state) => {
    const before = await issuesOfConversations(
      store,
      extracted.map(({ conversation: { _id } }) => _id),
    );
    const undescribed = await describedFrom({ database: context.database, store }, organization, before);
    known = await cache.take({ database: context.database, store }, organization, state, table);
    const { events, described } = await assignIssues(state, known, { organization, extracted, found });
    const texts = described.map((one) => ({ ...one, text: derivedId(one.cluster, store.context.idem ?? '', 'first') }));
    await storeDescriptions(context, organization, texts);
    return [
      ...retractions(state, { found: before, isGone: () => true, undescribed }),
      ...events,
      ...texts.map(descriptionEvent),
    ];
  });
  if (known !== undefined && !done.repeated)
    cache.keep(organization, known, { state: done.state, touched: touchedBy(done.events) });
  await dropDescriptions(context, organization, lostDescriptions(done.events));
  return done.events;
}

/** The event of a description that a model or this product has made. */
export function descriptionEvent({
  cluster,
  text,
  size,
}: Pick<Described, 'cluster' | 'size'> & { text: string }): ClusterEvent {
  return { type: 'ClusterDescribed', data: { cluster, text, by: 'analyzer', size } };
}

/** The clusters whose issues changed by these events. */
export function touchedBy(events: readonly ClusterEvent[]): string[] {
  const touched = events.flatMap((event) => {
    const counted = 'counts' in event.data ? event.data.counts.map(({ cluster }) => cluster) : [];
    return event.type === 'ClustersMerged' ? [...counted, ...event.data.from] : counted;
  });
  return [...new Set(touched)];
}

/**
 * Tells that conversations are processed. Of those that were deleted or replaced meanwhile, issues are taken out again
 * with their texts.
 */
async function finishConversations(
  { context, store, organization }: Analysing,
  events: readonly ClusterEvent[],
): Promise<void> {
  const analysed = events.flatMap((event) => (event.type === 'IssuesExtracted' ? event.data.analysed : []));
  const inside = store.in(organization);
  const gone: { conversation: string; text: string }[] = [];
  let last = -1n;
  for (let start = 0; start < analysed.length; start += atOnce)
    await Promise.all(
      analysed.slice(start, start + atOnce).map(async (one) => {
        const { state, position } = await inside
          .step(one.conversation)
          .handle(conversation, one.conversation, (now) => finish(now, one), { wait: false });
        if (position > last) last = position;
        if (state.status === 'absent' || state.text !== one.text)
          gone.push({ conversation: one.conversation, text: one.text });
      }),
    );
  if (last >= 0n)
    await requireVisible(store, { position: last, types: [...conversationEvents.types, ...clusterEvents.types] });
  await withdrawIssues({ store, database: context.database }, organization, gone);
  await dropTexts(
    context,
    gone.map(({ conversation: owner, text }) => ({ organization, owner, text })),
  );
}
