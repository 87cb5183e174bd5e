import type { Stored, StoreScope } from '@scriptorium/event-sourcing';
import { issuesOfConversations, type ClusterEvent } from '../clusters/index.js';
import { conversations, type ConversationDocument } from '../conversations/index.js';

/** Bytes of what is said in the conversations of one step. */
const mostBytes = 2 * 1024 * 1024;

/** A conversation of which the issues are recorded. */
export type Analysed = Extract<ClusterEvent, { type: 'IssuesExtracted' }>['data']['analysed'][number];

/** A conversation whose issues are not found yet. */
export type Waiting = Stored<ConversationDocument>;

/** The oldest conversations that wait for their issues, at most so many. */
export async function nextConversations(
  store: Pick<StoreScope, 'read'>,
  organization: string,
  most: number,
): Promise<Waiting[]> {
  const filter = { organization, processed: false };
  const found = await store
    .read(conversations)
    .find(filter, { sort: { createdAt: 1, _id: 1 }, limit: most })
    .toArray();
  let room = mostBytes;
  return found.filter(({ bytes }, index) => {
    room -= bytes;
    return index === 0 || room >= 0;
  });
}

/**
 * Those whose issues were recorded by an analysis that ended before it finished them, by their ids. They keep these
 * issues, which people may have moved since.
 */
export async function recordedIssues(
  store: Pick<StoreScope, 'read'>,
  waiting: readonly Waiting[],
): Promise<Map<string, Analysed>> {
  const texts = new Map(waiting.map(({ _id, text }) => [_id, text]));
  const found = await issuesOfConversations(store, [...texts.keys()]);
  return new Map(
    found
      .filter(({ conversation, text }) => texts.get(conversation) === text)
      .map(({ conversation: of, text, of: count }) => [of, { conversation: of, text, issues: count, failed: false }]),
  );
}
