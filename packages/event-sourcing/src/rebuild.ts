import { AppError } from '@scriptorium/contracts';
import { type Db } from 'mongodb';
import { type Consumers } from './consumers.js';
import { type ContentHash, hashUpTo, hashWithout } from './content-hash.js';
import { ensureIndexes } from './database.js';
import { type EventStore } from './event-store.js';
import { createDocumentCache } from './document-cache.js';
import { type Target, project } from './projection-writer.js';
import { type Progress } from './progress.js';
import { type AnyProjection } from './projection.js';
import { entityPrefix } from './streams.js';

export interface RebuildParts {
  namespace: string;
  service: string;
  db: Db;
  events: EventStore;
  consumers: Consumers;
  progress: Pick<Progress, 'of'>;
}

export interface Rebuilt {
  projection: string;
  /** Both sides are compared as of this position of the log. */
  position: bigint;
  live: ContentHash;
  rebuilt: ContentHash;
  equal: boolean;
  /** Documents that changed while this ran and are in neither hash. */
  changing: number;
  events: number;
  ms: number;
}

const batchSize = 2048;
const [cachedDocuments, cachedBytes] = [50_000, 64 * 1024 * 1024];

/**
 * Builds a projection from the beginning of the log in a shadow beside the live collection, compares the contents of both,
 * and removes the shadow. The live projection goes on meanwhile. Throws `unexpected` naming an event it cannot take.
 */
export async function rebuild(parts: RebuildParts, projection: AnyProjection): Promise<Rebuilt> {
  const { db } = parts;
  const began = performance.now();
  const position = await writtenUpTo(parts, projection.collection);
  const shadow = `${projection.collection}_rebuild`;
  await drop(db, shadow);
  try {
    await ensureIndexes(db, shadow, projection.indexes);
    const events = await replay(parts, projection, shadow, position);
    const { changed, ...live } = await hashUpTo(db, projection.collection, position);
    const rebuilt = await hashWithout(db, shadow, changed);
    return { projection: projection.collection, position, live, rebuilt, equal: live.hash === rebuilt.hash, changing: changed.size, events, ms: performance.now() - began };
  } finally {
    await drop(db, shadow);
  }
}

/** What was announced is written; the checkpoint may be a little behind. */
async function writtenUpTo({ consumers, progress }: RebuildParts, collection: string): Promise<bigint> {
  const checkpoint = (await consumers.read([collection])).get(collection)?.position ?? -1n;
  const announced = progress.of(collection)?.at ?? -1n;
  return announced > checkpoint ? announced : checkpoint;
}

async function drop(db: Db, shadow: string): Promise<void> {
  await db.collection(shadow).drop();
  await db.collection('op_gone').deleteMany({ collection: shadow });
}

/** Reads ahead while a batch is written. */
async function replay({ namespace, service, db, events }: RebuildParts, projection: AnyProjection, shadow: string, upTo: bigint): Promise<number> {
  if (upTo < 0n) return 0;
  const prefixes = projection.entities.map((entity) => entityPrefix(namespace, service, entity));
  const target: Target = { db, collection: shadow, cache: createDocumentCache(cachedDocuments, cachedBytes, true) };
  const source = events.subscribe(prefixes, -1n);
  let count = 0;
  try {
    for (;;) {
      const batch = await source.next(batchSize, 0);
      const due = batch.events.filter((event) => event.position <= upTo);
      const { poison } = due.length > 0 ? await project(target, projection, due) : {};
      if (poison !== undefined) throw new AppError('unexpected', [], { message: poison.message });
      count += due.length;
      if (batch.caughtUp || (batch.position ?? -1n) >= upTo) return count;
    }
  } finally {
    await source.stop();
  }
}
