import { keyedGet } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { LRUCache } from 'lru-cache';
import type { Clusters } from '../clusters/index.js';
import { dropCentroids, storeCentroids } from './centroids.operational.js';
import { loadCentroids, type KnownCentroids } from './load-centroids.process.js';
import type { Reading } from './reading.process.js';

/** Organizations whose centroids are kept in memory, and bytes of all of them; one that has more is kept alone. */
const [mostOrganizations, mostBytes] = [8, 60 * 1024 * 1024];

/** The centroids that this process knows. They are a cache of what is stored, which is one of what issues say. */
export class CentroidCache {
  /** What was not stored of those that are left out is made again. */
  readonly #held = new LRUCache<string, KnownCentroids>({
    max: mostOrganizations,
    maxSize: mostBytes,
    sizeCalculation: ({ centroids }) => Math.min(mostBytes, Math.max(1, centroids.bytes)),
  });

  /** Whether the centroids at a state of the clusters are known. */
  knows(organization: string, state: Clusters, version: string): boolean {
    const known = this.#held.peek(organization);
    return known?.at === state.changes && known.version === version;
  }

  /**
   * The centroids at a state of the clusters. They are to be changed, so they are not known any more until they are
   * kept: what was changed and not recorded is forgotten.
   * @throws AppError `unavailable` when too many have to be made again, which is done in steps of its own
   */
  async take(reading: Reading, state: Clusters): Promise<KnownCentroids> {
    const { organization, embedder } = reading;
    const known = this.#held.get(organization);
    this.#held.delete(organization);
    if (known?.at === state.changes && known.version === embedder.version) return known;
    return loadCentroids(reading, state);
  }

  /** Remembers centroids that were changed up to a state. `touched`: the clusters whose centroids are not stored. */
  keep(
    organization: string,
    { centroids, version, unstored }: Omit<KnownCentroids, 'at' | 'state'>,
    { state, touched }: { state: Clusters; touched: readonly string[] },
  ): void {
    const known = { centroids, version, at: state.changes, state };
    this.#held.set(organization, { ...known, unstored: new Set([...unstored, ...touched]) });
  }

  /**
   * Stores what is remembered of an organization, but for clusters that have changed since: what somebody has deleted
   * is not stored again. `present` resolves to the state as it is when it is called.
   */
  async store(scope: Pick<Scope, 'database'>, organization: string, present: () => Promise<Clusters>): Promise<void> {
    const known = this.#held.get(organization);
    if (known === undefined || known.unstored.size === 0) return;
    const { centroids, state, version, at, unstored } = known;
    const before = changedSince(await present(), at, unstored);
    const ids = new Map([...unstored].map((id) => [keyedGet(state.living, id)?.number, id]));
    const stored = centroids.stored().flatMap((centroid) => {
      const id = ids.get(centroid.cluster);
      return id === undefined || before.has(id) ? [] : [{ id, centroid }];
    });
    const kept = new Set(stored.map(({ id }) => id));
    await dropCentroids(
      scope,
      organization,
      [...unstored].filter((id) => !kept.has(id)),
    );
    await storeCentroids(scope, organization, { stored, at, version });
    await dropCentroids(scope, organization, [...changedSince(await present(), at, kept)]);
    this.#held.set(organization, { ...known, unstored: new Set() });
  }
}

/** Those of the clusters that have changed since a state, or are gone. */
function changedSince({ living }: Clusters, at: number, ids: Iterable<string>): Set<string> {
  return new Set([...ids].filter((id) => (keyedGet(living, id)?.changedAt ?? Infinity) > at));
}
