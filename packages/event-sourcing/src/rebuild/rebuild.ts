import { AppError } from '@scriptorium/contracts';
import { type Db } from 'mongodb';
import { type ContentHash, hashUpTo, hashWithout } from './content-hash.js';
import { createIndexes, indexesOf } from '../database/database.js';
import { type EventStore } from '../events/event-store.js';
import { type Ids } from '../process/ids.js';
import { createDocumentCache } from '../projections/held-documents.js';
import { type Target, project } from '../projections/projection-writer.js';
import { type Progress } from '../projections/progress.js';
import { type AnyProjection } from '../projections/projection.js';
import { type ClaimParts, type RebuildClaim, claimRebuild } from './rebuild-claim.js';
import { entityPrefix } from '../events/streams.js';

export interface RebuildParts extends ClaimParts {
  namespace: string;
  service: string;
  db: Db;
  events: EventStore;
  ids: Ids;
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

/** For a rebuild without a deadline, ms. */
const longest = 3_600_000;

/**
 * Builds a projection from the beginning of the log in a shadow beside the live collection, compares the contents of
 * both, and removes the shadow. The live projection goes on meanwhile. One at a time for each projection, on any
 * replica: throws `conflict` while another one runs, `unavailable` when `deadline` (epoch ms) comes first, `unexpected`
 * naming an event it cannot take.
 */
export async function rebuild(
  parts: RebuildParts,
  projection: AnyProjection,
  deadline = parts.clock.now() + longest,
): Promise<Rebuilt> {
  const { db } = parts;
  const { collection, indexes } = projection;
  const began = performance.now();
  const claim = await claimRebuild(parts, collection, parts.ids.uuid(), deadline);
  const { check } = claim;
  // Never the name of an earlier one, whose process may still write before it sees that it was taken over.
  const shadow = `${collection}_rebuild_${claim.epoch}`;
  try {
    await dropShadows(db, collection);
    const position = await writtenUpTo(parts, collection);
    await createIndexes(db, indexesOf([{ collection: shadow, indexes }]));
    const events = await replay(parts, projection, { shadow, claim, upTo: position });
    // Of what is removed after its use, nothing can be said but of what is left.
    const left = projection.consumed ? new Set<string>() : undefined;
    const { changed, ...live } = await hashUpTo({ db, collection, check }, position, left);
    const rebuilt = await hashWithout({ db, collection: shadow, check }, changed, left);
    check();
    return {
      projection: collection,
      position,
      live,
      rebuilt,
      equal: live.hash === rebuilt.hash,
      changing: changed.size,
      events,
      ms: performance.now() - began,
    };
  } finally {
    // What cannot be dropped now, the next rebuild drops.
    await drop(db, shadow).catch(() => undefined);
    await claim.release();
  }
}

/** What was announced is written; the checkpoint may be a little behind. */
async function writtenUpTo({ consumers, progress }: RebuildParts, collection: string): Promise<bigint> {
  const checkpoint = (await consumers.read([collection])).get(collection)?.position ?? -1n;
  const announced = progress.of(collection)?.at ?? -1n;
  return announced > checkpoint ? announced : checkpoint;
}

/** What rebuilds left that died. */
async function dropShadows(db: Db, collection: string): Promise<void> {
  const shadows = new RegExp(`^${collection}_rebuild(_\\d+)?$`);
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
    if (shadows.test(name)) await drop(db, name);
}

async function drop(db: Db, shadow: string): Promise<void> {
  await db.collection(shadow).drop();
  await db.collection('op_gone').deleteMany({ collection: shadow });
}

interface Replay {
  shadow: string;
  claim: RebuildClaim;
  upTo: bigint;
}

/** Reads ahead while a batch is written. */
async function replay(
  { namespace, service, db, events }: RebuildParts,
  projection: AnyProjection,
  { shadow, claim, upTo }: Replay,
): Promise<number> {
  if (upTo < 0n) return 0;
  const prefixes = projection.entities.map((entity) => entityPrefix(namespace, service, entity));
  const target: Target = { db, collection: shadow, cache: createDocumentCache(cachedDocuments, cachedBytes, true) };
  const source = events.subscribe(prefixes, -1n);
  const stop = (): void => void source.stop();
  claim.signal.addEventListener('abort', stop, { once: true });
  let count = 0;
  try {
    for (;;) {
      claim.check();
      const batch = await source.next(batchSize, 0);
      const due = batch.events.filter((event) => event.position <= upTo);
      const { poison } = due.length > 0 ? await project(target, projection, due) : {};
      if (poison !== undefined) throw new AppError('unexpected', [], { message: poison.message });
      count += due.length;
      if (batch.caughtUp || (batch.position ?? -1n) >= upTo) return count;
    }
  } catch (error) {
    // A subscription that was stopped says nothing of why.
    claim.check();
    throw error;
  } finally {
    claim.signal.removeEventListener('abort', stop);
    await source.stop();
  }
}
