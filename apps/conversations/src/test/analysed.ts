import { eventually } from '@scriptorium/testing';
import type { ConversationRig } from './conversation-rig.js';
import type { Rig as OwnRig } from './own-rig.js';

/** Waits until the issues of all conversations are found. */
export async function analysed(world: Pick<ConversationRig, 'done' | 'org'>): Promise<void> {
  await eventually(() => isAnalysed(world), 30_000);
}

/** Whether the issues of all conversations are found. */
export async function isAnalysed({ done, org }: Pick<ConversationRig, 'done' | 'org'>): Promise<boolean> {
  return (await done('GET', `${org}/conversations?processed=false&limit=0`))['count'] === 0;
}

/** Whether no analysis is under way or about to begin. */
export async function isQuiet({ rig, done }: Pick<ConversationRig<OwnRig>, 'done' | 'rig'>): Promise<boolean> {
  const timers = await rig.store.database.collection<{ _id: string }>('op_timers').find().toArray();
  if (timers.some(({ _id }) => _id.startsWith(`analyse_conversations:${rig.organization}`))) return false;
  const { items: runs } = await done('GET', '/operator/conversations/runs?limit=1000');
  return runs.every(({ status }) => status === 'done');
}

/** A cluster as lists show it, with the ids of its issues. */
export interface SeenCluster {
  id: string;
  label: string;
  stats: { issues: number; conversations: number };
  sources: Record<string, number>;
  weeklyPulse: number[];
  issues: { id: string; conversation: string }[];
}

/** All clusters with their issues, the smallest id first. */
export async function seenClusters({ done, org }: Pick<ConversationRig, 'done' | 'org'>): Promise<SeenCluster[]> {
  const { items } = await done('GET', `${org}/conversations-clusters?limit=1000`);
  const seen = items.map(async (cluster) => {
    const listed = await done('GET', `${org}/conversations-clusters/${String(cluster['id'])}/issues?limit=1000`);
    const issues = listed.items.map(({ issue }) => issue as { id: string; conversation: string });
    return { ...(cluster as object as Omit<SeenCluster, 'issues'>), issues };
  });
  return (await Promise.all(seen)).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** What is wrong with the counts of clusters: nothing, or what their issues say instead. */
export function miscounted(clusters: readonly SeenCluster[]): unknown[] {
  return clusters.flatMap(({ id, stats, sources, weeklyPulse, issues }) => {
    const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
    const counted = { issues: issues.length, conversations: new Set(issues.map((one) => one.conversation)).size };
    const same =
      JSON.stringify(counted) === JSON.stringify({ issues: stats.issues, conversations: stats.conversations }) &&
      sum(Object.values(sources)) === counted.issues &&
      sum(weeklyPulse) === counted.issues;
    return same ? [] : [{ id, stats, sources, weeklyPulse, counted }];
  });
}
