import { type Db } from 'mongodb';
import { type AnyProjection, type Projection } from '../projections/projection.js';
import { type ReadModel, readable } from '../read-models/read-model.js';
import { type Runtime } from './runtime.js';

type Parts = Pick<Runtime, 'clock' | 'projector' | 'progress'> & { db: Db };

/** One read model for each collection, so that all readers share what is cached. */
export function readModels(parts: Parts): <D extends object>(projection: Projection<D>) => ReadModel<D> {
  const models = new Map<string, ReadModel<never>>();
  return <D extends object>(projection: Projection<D>): ReadModel<D> => {
    const { collection } = projection;
    const known = models.get(collection) as ReadModel<D> | undefined;
    if (known !== undefined) return known;
    const model = readable<D>(parts.db.collection(collection), {
      version: () => versionOf(parts, [projection]),
      clock: parts.clock,
      written: (id) => parts.projector.written(collection, id),
    });
    models.set(collection, model as ReadModel<never>);
    return model;
  };
}

/** See `Store.version`. */
export function versionOf(
  { progress }: Pick<Runtime, 'progress'>,
  projections: Iterable<Pick<AnyProjection, 'collection'>>,
): string | undefined {
  let version = '';
  for (const { collection } of projections) {
    const known = progress.of(collection);
    if (known === undefined) return undefined;
    version += `${known.epoch}:${known.changed};`;
  }
  return version;
}
