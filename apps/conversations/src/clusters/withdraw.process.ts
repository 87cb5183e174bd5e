import { keyedGet, type Stored } from '@scriptorium/event-sourcing';
import { changeClusters, type ClusterScope } from './change-clusters.process.js';
import type { ClusterEvent, CountChange } from './cluster.events.js';
import { staysEmpty, type Clusters } from './clusters.js';
import { changedCounts } from './count-changes.js';
import { describedFrom } from './descriptions.process.js';
import type { IssueDocument } from './issue.projection.js';
import { byConversation, issuesOfConversations, placeOfIssue } from './places.queries.js';

/** What was said in a conversation and is gone. */
export interface GoneText {
  conversation: string;
  text: string;
}

/** Conversations, and which of their issues are to be taken out. */
interface Withdrawal {
  conversations: readonly string[];
  isGone: (issue: StoredIssue) => boolean;
}

type StoredIssue = Stored<IssueDocument>;

/** Conversations of one event. They have at most 3 issues each, and more only while they are analysed anew. */
const conversationsOfEvent = 60;

/** Takes issues out of their clusters, because what was said is gone. */
export async function withdrawIssues(
  scope: ClusterScope,
  organization: string,
  gone: readonly GoneText[],
): Promise<void> {
  const texts = new Set(gone.map(({ text }) => text));
  await withdraw(scope, organization, {
    conversations: [...new Set(gone.map(({ conversation }) => conversation))],
    isGone: ({ text }) => texts.has(text),
  });
}

/** Takes all issues of conversations out of their clusters but those of what is said in them now. */
export async function withdrawOutdatedIssues(
  scope: ClusterScope,
  organization: string,
  present: readonly GoneText[],
): Promise<void> {
  const texts = new Map(present.map(({ conversation, text }) => [conversation, text]));
  await withdraw(scope, organization, {
    conversations: [...texts.keys()],
    isGone: ({ conversation, text }) => texts.get(conversation) !== text,
  });
}

/**
 * Clusters without issues are removed unless a person has corrected them, and labels that were made from the issues are
 * forgotten. It follows from the present state alone, so a repetition does nothing and needs no key.
 */
async function withdraw(
  scope: ClusterScope,
  organization: string,
  { conversations, isGone }: Withdrawal,
): Promise<void> {
  const { store, database, now } = scope;
  if (!(await issuesOfConversations(store, conversations)).some(isGone)) return;
  const unkeyed = { store: store.keyed(undefined), database, now };
  await changeClusters(unkeyed, organization, 'withdraw', async (state) => {
    const found = await issuesOfConversations(store, conversations);
    const undescribed = await describedFrom(scope, found.filter(isGone));
    return retractions(state, { found, isGone, undescribed });
  });
}

/** The events that take issues out. `found`: all issues of the conversations. */
function retractions(
  state: Clusters,
  {
    found,
    isGone,
    undescribed,
  }: { found: readonly StoredIssue[]; isGone: (issue: StoredIssue) => boolean; undescribed: ReadonlySet<string> },
): ClusterEvent[] {
  const events: ClusterEvent[] = [];
  const changes: CountChange[] = [];
  const conversations = [...new Set(found.filter(isGone).map(({ conversation }) => conversation))];
  for (let start = 0; start < conversations.length; start += conversationsOfEvent) {
    const some = new Set(conversations.slice(start, start + conversationsOfEvent));
    const before = found.filter(({ conversation }) => some.has(conversation));
    const after = before.filter((issue) => !isGone(issue));
    const counts = changedCounts(byConversation(before.map(placeOfIssue)), byConversation(after.map(placeOfIssue)));
    const issues = before.filter(isGone).map(({ _id }) => _id);
    const touched = counts.map(({ cluster }) => cluster).filter((cluster) => undescribed.has(cluster));
    events.push({ type: 'IssuesRetracted', data: { issues, undescribed: touched, counts } });
    changes.push(...counts);
  }
  return [...events, ...removals(state, changes)];
}

/** The events that remove the clusters which have no issue after these changes, and which nobody has corrected. */
export function removals({ living }: Clusters, changes: readonly CountChange[]): ClusterEvent[] {
  const left = new Map<string, number>();
  for (const { cluster, issues } of changes)
    left.set(cluster, (left.get(cluster) ?? keyedGet(living, cluster)?.size ?? 0) + issues);
  return [...left].flatMap(([cluster, size]): ClusterEvent[] => {
    const known = keyedGet(living, cluster);
    return size > 0 || known === undefined || staysEmpty(known) ? [] : [{ type: 'ClusterRemoved', data: { cluster } }];
  });
}
