import {
  createCentroids,
  languageOf,
  termsOf,
  vectorOf,
  weightsOf,
  type Centroids,
  type Terms,
  type WeightTable,
  type Weights,
} from '@scriptorium/clustering';
import { keyedEntries, keyedGet, type StoreScope } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { clusterDocuments, descriptionsOf, issues, type Clusters } from '../clusters/index.js';
import { dropCentroids, findCentroids, storeCentroids } from './centroids.operational.js';
import { readIssues } from './issue-texts.process.js';

/** The centroids of an organization as they are at one state of its clusters. */
export interface KnownCentroids {
  centroids: Centroids;
  weights: Weights;
  table: WeightTable;
  /** The change of the clusters up to which they count. */
  at: number;
  state: Clusters;
  /** Clusters whose centroids are not stored as they are here. */
  unstored: ReadonlySet<string>;
}

type Reading = Pick<Scope, 'database'> & { store: Pick<StoreScope, 'read'> };

/** Organizations whose centroids are kept in memory. */
const most = 8;
/** As many of the newest issues make the centroid of a cluster again. */
const mostIssues = 200;
const pauseEvery = 50;
/** The language of names that are too short to tell theirs. */
const language = 'en';

/** The centroids that this process knows. They are a cache of what is stored, which is one of what issues say. */
export class CentroidCache {
  readonly #known = new Map<string, KnownCentroids>();

  /**
   * The centroids at a state of the clusters. They are to be changed, so they are not known any more until they are
   * kept: what was changed and not recorded is forgotten.
   */
  async take(scope: Reading, organization: string, state: Clusters, table: WeightTable): Promise<KnownCentroids> {
    const known = this.#known.get(organization);
    this.#known.delete(organization);
    if (known?.at === state.changes && known.table.version === table.version) return known;
    return loadCentroids(scope, organization, state, table);
  }

  /** Remembers centroids that were changed up to a state. `touched`: the clusters whose centroids are not stored. */
  keep(
    organization: string,
    { centroids, weights, table, unstored }: Omit<KnownCentroids, 'at' | 'state'>,
    { state, touched }: { state: Clusters; touched: readonly string[] },
  ): void {
    const known = { centroids, weights, table, at: state.changes, state };
    this.#known.delete(organization);
    this.#known.set(organization, { ...known, unstored: new Set([...unstored, ...touched]) });
    const [oldest] = this.#known.keys();
    // What was not stored is made again.
    if (this.#known.size > most && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Stores what is remembered of an organization. */
  async store(scope: Pick<Scope, 'database'>, organization: string): Promise<void> {
    const known = this.#known.get(organization);
    if (known === undefined || known.unstored.size === 0) return;
    const { centroids, state, table, at, unstored } = known;
    const ids = new Map([...unstored].map((id) => [keyedGet(state.living, id)?.number, id]));
    const stored = centroids.stored().flatMap((centroid) => {
      const id = ids.get(centroid.cluster);
      return id === undefined ? [] : [{ id, centroid }];
    });
    const kept = new Set(stored.map(({ id }) => id));
    await dropCentroids(
      scope,
      organization,
      [...unstored].filter((id) => !kept.has(id)),
    );
    await storeCentroids(scope, organization, { stored, at, table: table.version });
    this.#known.set(organization, { ...known, unstored: new Set() });
  }
}

/** Loads what is stored, and makes the others again from the newest issues of their clusters. */
async function loadCentroids(
  scope: Reading,
  organization: string,
  state: Clusters,
  table: WeightTable,
): Promise<KnownCentroids> {
  const weights = weightsOf(table);
  const living = new Map(keyedEntries(state.living).map(([id, cluster]) => [cluster.number, { id, ...cluster }]));
  const stored = await findCentroids(scope, organization, table.version);
  const valid = stored.filter(({ at, centroid }) => at >= (living.get(centroid.cluster)?.changedAt ?? Infinity));
  const centroids = createCentroids(
    'terms',
    valid.map(({ centroid }) => centroid),
  );
  const missing = [...living.values()].filter(({ number, size }) => size > 0 && !centroids.has(number));
  for (const [index, { id, number }] of missing.entries()) {
    const newest = await scope.store
      .read(issues)
      .find({ cluster: id }, { sort: { createdAt: -1, _id: -1 }, limit: mostIssues })
      .toArray();
    for (const { issue } of await readIssues(scope, newest)) centroids.add(number, vectorOf(issue.terms, weights));
    if (index % pauseEvery === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const empty = [...living.values()].filter(
    ({ number, size, byUser }) => size === 0 && byUser && !centroids.has(number),
  );
  for (const { number, terms } of await namedTerms(scope, empty)) centroids.add(number, vectorOf(terms, weights));
  return { centroids, weights, table, at: state.changes, state, unstored: new Set(missing.map(({ id }) => id)) };
}

/** The terms of what people wrote about clusters that have no issues, so that new issues of the kind come there. */
async function namedTerms(
  scope: Reading,
  empty: readonly { id: string; number: number }[],
): Promise<{ number: number; terms: Terms }[]> {
  const docs = await scope.store.read(clusterDocuments).byIds(empty.map(({ id }) => id));
  const descriptions = await descriptionsOf(scope, docs);
  return docs.map(({ number }, index) => {
    const { label = '', summary = '' } = descriptions[index] ?? {};
    const text = `${label}\n${summary}`;
    return { number, terms: termsOf(text, languageOf(text, language)) };
  });
}
