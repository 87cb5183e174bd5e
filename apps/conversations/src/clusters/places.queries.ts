import type { StoreScope, Stored } from '@scriptorium/event-sourcing';
import type { Place } from './count-changes.js';
import { issues, type IssueDocument } from './issue.projection.js';

const batchSize = 1_000;

/** The issues of conversations. */
export async function issuesOfConversations(
  store: Pick<StoreScope, 'read'>,
  conversations: readonly string[],
): Promise<Stored<IssueDocument>[]> {
  const found: Stored<IssueDocument>[] = [];
  for (let start = 0; start < conversations.length; start += batchSize) {
    const some = conversations.slice(start, start + batchSize);
    found.push(
      ...(await store
        .read(issues)
        .find({ conversation: { $in: some } })
        .toArray()),
    );
  }
  return found;
}

/** The newest issues of a cluster. */
export function newestIssues(
  store: Pick<StoreScope, 'read'>,
  cluster: string,
  most: number,
): Promise<Stored<IssueDocument>[]> {
  return store.read(issues).find({ cluster }).sort({ createdAt: -1, _id: -1 }).limit(most).toArray();
}

export function placeOfIssue({ _id: issue, conversation, week, source, cluster }: Stored<IssueDocument>): Place {
  return { issue, conversation, week, source, cluster };
}

/** Where issues stand, by conversation. */
export function byConversation(places: readonly Place[]): Map<string, Place[]> {
  const found = new Map<string, Place[]>();
  for (const place of places) found.set(place.conversation, [...(found.get(place.conversation) ?? []), place]);
  return found;
}
