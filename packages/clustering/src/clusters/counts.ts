import type { Weeks } from './pulse.js';

/** Where an issue stands, as far as counts go. */
export interface IssuePlace {
  issue: string;
  conversation: string;
  /** The week of the issue, as `weekOf` tells it. It is recorded, so that what was counted can be taken back. */
  week: string;
  /** The name of the integration, `api` or `email`, as `sourceTypeOf` tells it. */
  source: string;
  /** Undefined while it is in none. */
  cluster: number | undefined;
}

export interface ClusterCounts {
  issues: number;
  conversations: number;
  /** Issues by week. */
  weeks: Weeks;
  /** Issues by type of source. */
  bySource: Readonly<Record<string, number>>;
}

export const noCounts: ClusterCounts = { issues: 0, conversations: 0, weeks: {}, bySource: {} };

/** The type of a conversation's source: `intercom` for `integration:intercom:<installation>`, otherwise as it is. */
export function sourceTypeOf(source: string): string {
  const [type, name] = source.split(':', 2);
  return type === 'integration' && name !== undefined && name !== '' ? name : source;
}

/**
 * What changes in the counts of clusters when issues of **one** conversation stand elsewhere than before. `before` and
 * `after` are all issues of the conversation; an issue of only one of them came or went. Clusters without a change are
 * left out.
 */
export function countChanges(
  before: readonly IssuePlace[],
  after: readonly IssuePlace[],
): ReadonlyMap<number, ClusterCounts> {
  const changes = new Map<number, ClusterCounts>();
  for (const [places, sign] of [[before, -1] as const, [after, 1] as const]) {
    const seen = new Set<number>();
    for (const { cluster, week, source } of places) {
      if (cluster === undefined) continue;
      const one: ClusterCounts = {
        issues: sign,
        conversations: seen.has(cluster) ? 0 : sign,
        weeks: { [week]: sign },
        bySource: { [source]: sign },
      };
      seen.add(cluster);
      changes.set(cluster, addCounts(changes.get(cluster) ?? noCounts, one));
    }
  }
  for (const [cluster, change] of changes) if (isNothing(change)) changes.delete(cluster);
  return changes;
}

/** Counts after a change. Keys that fall to nothing are gone, and no count is below it. */
export function countsAfter(counts: ClusterCounts, change: ClusterCounts): ClusterCounts {
  const { issues, conversations, weeks, bySource } = addCounts(counts, change);
  return {
    issues: Math.max(issues, 0),
    conversations: Math.max(conversations, 0),
    weeks: aboveNothing(weeks),
    bySource: aboveNothing(bySource),
  };
}

/** Counts, or changes of them, added up. Keys of nothing are gone. */
export function addCounts(a: ClusterCounts, b: ClusterCounts): ClusterCounts {
  return {
    issues: a.issues + b.issues,
    conversations: a.conversations + b.conversations,
    weeks: sumsOf(a.weeks, b.weeks),
    bySource: sumsOf(a.bySource, b.bySource),
  };
}

type Numbers = Readonly<Record<string, number>>;

/** Names come from callers, so `__proto__` is a name like others. */
function sumsOf(a: Numbers, b: Numbers): Numbers {
  const sums = new Map(Object.entries(a));
  for (const [name, value] of Object.entries(b)) sums.set(name, (sums.get(name) ?? 0) + value);
  return Object.fromEntries([...sums].filter(([, value]) => value !== 0));
}

function aboveNothing(numbers: Numbers): Numbers {
  return Object.fromEntries(Object.entries(numbers).filter(([, value]) => value > 0));
}

function isNothing({ issues, conversations, weeks, bySource }: ClusterCounts): boolean {
  const names = [...Object.keys(weeks), ...Object.keys(bySource)];
  return issues === 0 && conversations === 0 && names.length === 0;
}
