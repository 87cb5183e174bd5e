import { type Db, Long } from 'mongodb';
import { type Consumers } from '../leases/consumers.js';
import { type CollectionIndexes, isAway, positionFrom } from '../database/database.js';
import { type Logger, describe } from '../process/observe.js';
import { openClaims, type OpenClaim } from '../reservations/open-claims.js';
import { type AnyProjection } from '../projections/projection.js';
import { type Reservations } from '../reservations/reservations.js';
import { sweepRuns } from '../runs/run-documents.js';
import { claimLifeMs } from '../reservations/reservation.js';
import { type Task, repeating } from '../leases/tasks.js';
import { type Clock } from '../process/time.js';

export interface MaintenanceParts {
  db: Db;
  consumers: Consumers;
  projections: readonly AnyProjection[];
  reservations: Reservations;
  clock: Clock;
  logger: Logger;
}

const every = 5000;
/** What only keeps the database small is done so often. */
const seldomEvery = 60_000;
const hour = 3_600_000;
const perRound = 500;

type Step = (holds: () => boolean) => Promise<void>;

/**
 * What one replica does now and then: settle claims left open, sweep old tombstones and runs, drop collections nobody
 * declares.
 */
export function maintenanceTask(parts: MaintenanceParts): Task {
  const runs: Step = (holds) => sweepRuns(parts.db, parts.clock.now(), holds);
  const steps: Step[] = [settling(parts), sweeper(parts), seldom(parts, runs), seldom(parts, retirement(parts))];
  const { run } = repeating(every, async (holds) => {
    for (const step of steps) {
      if (!holds()) return;
      await step(holds).catch((error: unknown) =>
        parts.logger.warn({ error: describe(error) }, 'maintenance is put off'),
      );
    }
  });
  return { name: 'maintenance', run };
}

function seldom({ clock }: MaintenanceParts, step: Step): Step {
  let last = { wall: -Infinity, span: -Infinity };
  return async (holds) => {
    const now = { wall: clock.now(), span: clock.monotonic() };
    if (now.wall - last.wall < seldomEvery && now.span - last.span < seldomEvery) return;
    await step(holds);
    last = now;
  };
}

/**
 * Settles overdue claims in the order of their ids, so many a round; the next one goes on behind the last that was
 * tried. Those that cannot be settled must not keep the others from their turn.
 */
function settling({ db, projections, reservations, clock, logger }: MaintenanceParts): Step {
  let after = '';
  return async (holds) => {
    if (!projections.some(({ collection }) => collection === openClaims.collection)) return;
    const since = new Date(clock.now() - claimLifeMs).toISOString();
    const overdue = await db
      .collection<OpenClaim>(openClaims.collection)
      .find({ _id: { $gt: after }, since: { $lte: since } })
      .sort({ _id: 1 })
      .limit(perRound)
      .toArray();
    for (const open of overdue) {
      if (!holds()) return;
      try {
        await reservations.repair(open);
      } catch (error) {
        // While a server is away each of them would wait in vain; what one owner's stream refuses says nothing of the
        // others.
        if (isAway(error)) throw error;
        logger.warn({ kind: open.kind, owner: open.owner, error: describe(error) }, 'a claim could not be settled');
      }
      after = open._id;
    }
    if (overdue.length < perRound) after = '';
  };
}

interface GoneDoc {
  _id: string;
  collection: string;
  id: string;
  at: Long;
}

/**
 * A tombstone may go when every writer is past it: an hour after the checkpoint was. Hours are this process's own;
 * nothing is swept in its first one.
 */
function sweeper({ db, consumers, projections, clock }: MaintenanceParts): () => Promise<void> {
  let marked: { since: number; positions: ReadonlyMap<string, bigint> } | undefined;
  return async () => {
    const now = clock.monotonic();
    if (marked !== undefined && now - marked.since < hour) return;
    const consumerStates = await consumers.read(projections.map(({ collection }) => collection));
    if (marked !== undefined)
      for (const [collection, position] of marked.positions) await sweepTombstones(db, collection, position);
    marked = { since: now, positions: new Map([...consumerStates].map(([name, { position }]) => [name, position])) };
  };
}

/** Removes the tombstones of a collection up to a position. */
export async function sweepTombstones(db: Db, collection: string, upTo: bigint): Promise<void> {
  const gone = db.collection<GoneDoc>('op_gone');
  for (;;) {
    const docs = await gone
      .find({ collection, at: { $lte: Long.fromBigInt(upTo) } })
      .limit(perRound)
      .toArray();
    if (docs.length === 0) return;
    await db
      .collection<{ _id: string; _gone?: boolean; _at?: Long }>(collection)
      .deleteMany({ _id: { $in: docs.map(({ id }) => id) }, _gone: true, _at: { $lte: Long.fromBigInt(upTo) } });
    await gone.deleteMany({ _id: { $in: docs.map(({ _id }) => _id) }, at: { $lte: Long.fromBigInt(upTo) } });
  }
}

/** Other versions of a projection declared here go when no replica has held them for a day of this process's time. */
function retirement({ db, projections, clock, logger }: MaintenanceParts): () => Promise<void> {
  const unused = new Map<string, { mark: string; since: number }>();
  const declared = new Set(projections.map(({ collection }) => collection));
  return async () => {
    const all = await db
      .collection<{ _id: string; owner: string | null; epoch: number; position: unknown }>('op_consumers')
      .find()
      .toArray();
    for (const { _id: name, owner, epoch, position } of all) {
      if (declared.has(name) || !projections.some((projection) => isVersionOf(projection, name))) continue;
      const mark = `${owner ?? ''}/${epoch}/${positionFrom(position)}`;
      const seen = unused.get(name);
      if (owner !== null || seen?.mark !== mark) unused.set(name, { mark, since: clock.monotonic() });
      else if (clock.monotonic() - seen.since > 24 * hour) {
        await db.collection(name).drop();
        await db.collection<{ _id: string }>('op_consumers').deleteOne({ _id: name });
        logger.info({ projection: name }, 'an unused version of a projection was dropped');
      }
    }
  };
}

function isVersionOf({ name }: AnyProjection, collection: string): boolean {
  return collection.startsWith(`${name}_v`) && /^\d+$/.test(collection.slice(name.length + 2));
}

export const maintenanceIndexes: CollectionIndexes = {
  op_gone: [{ key: { collection: 1, at: 1 }, name: 'collection_at' }],
};
