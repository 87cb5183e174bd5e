import {
  defineAggregate,
  emptyKeyed,
  keyedDrop,
  keyedGet,
  keyedPut,
  unchanged,
  type Keyed,
  type Metadata,
} from '@scriptorium/event-sourcing';
import { clusterEvents, type ClusterEvent, type CountChange } from './cluster.events.js';

/** A living cluster, as far as decisions need it. */
export interface LivingCluster {
  number: number;
  /** How many issues it has. */
  size: number;
  pinned: boolean;
  /** How many issues it had when it was described; `null` when it is to be described again. */
  described: number | null;
  byUser: boolean;
  /** Whether a person has moved issues to it, or merged another one into it. */
  corrected: boolean;
  /** The change of the stream that was the last one of its issues. */
  changedAt: number;
  /** How many issues had been extracted, and when, as it got its newest one. */
  grewAt: number;
  grewOn: string;
}

/** The clusters of an organization. Issues are not in it, so it is bounded by the number of living clusters. */
export interface Clusters {
  /** How many events there are. */
  changes: number;
  /** The number of the next cluster. */
  next: number;
  extracted: number;
  /** Extracted issues when clusters were merged and gathered last. */
  regroupedAt: number;
  living: Keyed<LivingCluster>;
  /** Whether the organization is deleted. */
  closed: boolean;
}

const none: Clusters = { changes: 0, next: 1, extracted: 0, regroupedAt: 0, living: emptyKeyed, closed: false };

function evolve(before: Clusters, event: ClusterEvent, meta: Metadata): Clusters {
  const state = { ...before, changes: before.changes + 1 };
  switch (event.type) {
    case 'ClusterCreated': {
      const { cluster, number } = event.data;
      return { ...state, next: Math.max(state.next, number + 1), living: created(state, { cluster, number }, meta) };
    }
    case 'IssuesExtracted': {
      const extracted = state.extracted + event.data.issues.length;
      return grown({ ...state, extracted }, event.data.counts, meta);
    }
    case 'IssuesGathered':
      return grown(state, event.data.counts, meta);
    case 'IssuesMoved':
      return corrected(grown(state, event.data.counts, meta), event.data.to);
    case 'IssuesRetracted':
      return undescribed(counted(state, event.data.counts), event.data.undescribed);
    case 'ClustersMerged':
      return merged(state, event.data, meta);
    case 'ClusterDescribed': {
      const { cluster, size, by } = event.data;
      return changed(state, cluster, (known) => ({ ...known, described: size, byUser: known.byUser || by === 'user' }));
    }
    case 'ClusterPinned':
      return changed(state, event.data.cluster, (known) => ({ ...known, pinned: event.data.pinned }));
    case 'ClustersRegrouped':
      return { ...state, regroupedAt: state.extracted };
    case 'ClustersClosed':
      return { ...state, living: emptyKeyed, closed: true };
    case 'ClusterRemoved':
      return { ...state, living: keyedDrop(state.living, event.data.cluster) };
    default:
      return unchanged(state, event);
  }
}

function created(
  { living, changes, extracted }: Clusters,
  { cluster, number }: { cluster: string; number: number },
  { time }: Metadata,
): Keyed<LivingCluster> {
  const facts = { described: null, byUser: false, changedAt: changes, grewAt: extracted, grewOn: time };
  return keyedPut(living, cluster, { number, size: 0, pinned: false, corrected: false, ...facts });
}

function changed(state: Clusters, cluster: string, change: (known: LivingCluster) => LivingCluster): Clusters {
  const known = keyedGet(state.living, cluster);
  return known === undefined ? state : { ...state, living: keyedPut(state.living, cluster, change(known)) };
}

function counted(state: Clusters, counts: readonly CountChange[]): Clusters {
  return counts.reduce(
    (now, { cluster, issues }) =>
      changed(now, cluster, (known) => ({
        ...known,
        size: Math.max(0, known.size + issues),
        changedAt: now.changes,
      })),
    state,
  );
}

function grown(state: Clusters, counts: readonly CountChange[], { time: grewOn }: Metadata): Clusters {
  return counts
    .filter(({ issues }) => issues > 0)
    .reduce(
      (now, { cluster }) => changed(now, cluster, (known) => ({ ...known, grewAt: now.extracted, grewOn })),
      counted(state, counts),
    );
}

function corrected(state: Clusters, cluster: string): Clusters {
  return changed(state, cluster, (known) => ({ ...known, corrected: true }));
}

function undescribed(state: Clusters, clusters: readonly string[]): Clusters {
  return clusters.reduce((now, cluster) => changed(now, cluster, (known) => ({ ...known, described: null })), state);
}

function merged(
  state: Clusters,
  { into, from, by, counts }: Extract<ClusterEvent, { type: 'ClustersMerged' }>['data'],
  meta: Metadata,
): Clusters {
  const grownNow = grown(state, counts, meta);
  const isCorrected = by === 'user' || from.some((cluster) => keyedGet(state.living, cluster)?.corrected === true);
  const after = isCorrected ? corrected(grownNow, into) : grownNow;
  return { ...after, living: from.reduce((living, cluster) => keyedDrop(living, cluster), after.living) };
}

/** Whether a cluster stays when it has no issues any more: a person has corrected it. */
export function staysEmpty({ byUser, pinned, corrected: isCorrected }: LivingCluster): boolean {
  return byUser || pinned || isCorrected;
}

/** The clusters of an organization. Its id is that of the organization. */
export const clusters = defineAggregate({
  service: 'conversations',
  entity: 'clusters',
  events: clusterEvents,
  initial: none,
  evolve,
});

/** Events were decided on a state that is not the present one. */
export class OutdatedClusters extends Error {}

/** Records events that were decided on a state, if that is still the present one. @throws OutdatedClusters */
export function recordOn(
  { changes, closed }: Clusters,
  seen: Clusters,
  events: readonly ClusterEvent[],
): ClusterEvent[] {
  if (closed) return [];
  if (changes !== seen.changes) throw new OutdatedClusters('The clusters have changed');
  return [...events];
}

/** Ends all clusters, because the organization is deleted. */
export function close({ closed }: Clusters): ClusterEvent[] {
  return closed ? [] : [{ type: 'ClustersClosed', data: {} }];
}
