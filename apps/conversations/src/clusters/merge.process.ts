import type { StoreScope, Stored } from '@scriptorium/event-sourcing';
import type { ClusterDocument } from './cluster.projection.js';
import type { ClusterEvent } from './cluster.events.js';
import { issues } from './issue.projection.js';

/** The event that merges one cluster into another. Conversations that are in both are counted once. */
export async function mergeEvent(
  store: Pick<StoreScope, 'read'>,
  { from, into }: { from: Stored<ClusterDocument>; into: Stored<ClusterDocument> },
  by: 'analysis' | 'user',
): Promise<ClusterEvent> {
  const conversations = from.conversations - (await sharedConversations(store, from._id, into._id));
  const { issues: size, weeks, bySource } = from;
  const counts = [{ cluster: into._id, issues: size, conversations, weeks: { ...weeks }, bySource: { ...bySource } }];
  return { type: 'ClustersMerged', data: { into: into._id, from: [from._id], by, counts } };
}

/** Conversations with issues in both clusters. Only those with several issues can be. */
async function sharedConversations(store: Pick<StoreScope, 'read'>, a: string, b: string): Promise<number> {
  const of = { $gt: 1 };
  const { raw } = store.read(issues);
  const [inA, inB] = await Promise.all([
    raw.distinct('conversation', { cluster: a, of }),
    raw.distinct('conversation', { cluster: b, of }),
  ]);
  const known = new Set<unknown>(inA);
  return inB.filter((conversation: unknown) => known.has(conversation)).length;
}
