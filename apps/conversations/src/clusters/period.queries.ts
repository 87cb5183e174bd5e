import { conversationBounds, invalid } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { issues } from './issue.projection.js';

type Reading = Pick<StoreScope, 'read'>;

/** What a cluster has of a period. */
export interface PeriodCounts {
  issues: number;
  conversations: number;
  bySource: Record<string, number>;
}

/** From a moment, and before another one; both in UTC with milliseconds. */
export interface Period {
  from?: string | undefined;
  to?: string | undefined;
}

/** The condition that conversations, or issues of conversations, began in a period. */
export function within({ from, to }: Period): { createdAt?: Record<string, string> } {
  if (from === undefined && to === undefined) return {};
  return {
    createdAt: {
      ...(from === undefined ? {} : { $gte: from }),
      ...(to === undefined ? {} : { $lt: to }),
    },
  };
}

const { countedIssues } = conversationBounds;

/**
 * What the clusters of an organization have of issues since a moment. Clusters without any are not in it.
 * @throws AppError `invalid_request` when there are too many of them to be counted
 */
export async function countsSince(
  store: Reading,
  organization: string,
  since: string,
): Promise<ReadonlyMap<string, PeriodCounts>> {
  const filter = { organization, ...within({ from: since }) };
  if ((await store.read(issues).count(filter, countedIssues + 1)) > countedIssues)
    throw invalid('query.since', `There are more than ${countedIssues} issues since then`);
  const counted = new Map<string, { counts: PeriodCounts; conversations: Set<string> }>();
  const projection = { cluster: 1, conversation: 1, source: 1 };
  for await (const { cluster, conversation, source } of store.read(issues).find(filter, { projection })) {
    if (cluster === null) continue;
    const found = counted.get(cluster) ?? {
      counts: { issues: 0, conversations: 0, bySource: {} },
      conversations: new Set<string>(),
    };
    counted.set(cluster, found);
    found.conversations.add(conversation);
    found.counts.issues += 1;
    found.counts.conversations = found.conversations.size;
    found.counts.bySource[source] = (found.counts.bySource[source] ?? 0) + 1;
  }
  return new Map([...counted].map(([cluster, { counts }]) => [cluster, counts]));
}

/**
 * The conversations that have an issue in a cluster and began in a period.
 * @throws AppError `invalid_request` when there are too many of them to be listed
 */
export async function conversationsIn(store: Reading, cluster: string, period: Period): Promise<string[]> {
  const filter = { cluster, ...within(period) };
  if ((await store.read(issues).count(filter, countedIssues + 1)) > countedIssues)
    throw invalid('query.cluster', `Has more than ${countedIssues} issues: choose a shorter time by from and to`);
  const found = await store
    .read(issues)
    .find(filter, { projection: { conversation: 1 } })
    .toArray();
  return [...new Set(found.map(({ conversation }) => conversation))];
}
