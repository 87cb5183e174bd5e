import { AppError } from '@scriptorium/contracts';
import { type Database } from '../database/database.js';
import { type EventStore } from '../events/event-store.js';
import { type Consumers } from '../leases/consumers.js';
import { type AnyProjection } from '../projections/projection.js';
import { runsConsumer } from '../runs/engine/runs-reactor.js';
import { runOf } from '../runs/run.js';
import { remakeRuns } from '../runs/runs.js';
import { type ScopeParts } from '../commands/store-scope.js';
import { type Logger } from '../process/observe.js';

interface Parts {
  service: string;
  scopes: ScopeParts;
  database: Database;
  events: EventStore;
  projections: readonly AnyProjection[];
  taskNames: readonly string[];
  consumers: Consumers;
  owner: string;
  logger: Logger;
}

/**
 * Notices that the database is newer than the log, as it is when an older log was restored: some of what it tells has
 * never happened. Read models whose checkpoint is behind the end of the log are emptied and built again, snapshots of
 * streams are dropped, runs are made again from their streams, and reactors go on at the end of the log.
 * @throws `unavailable` while another replica does the same: to be called again
 */
export async function dropWhatIsAhead(parts: Parts): Promise<void> {
  const { service, scopes, database, events, projections, taskNames, consumers, owner, logger } = parts;
  const collections = new Set(projections.map(({ collection }) => collection));
  const entries = await consumers.read([...collections, ...taskNames]);
  // Read after the checkpoints: what others record meanwhile cannot make a checkpoint look newer than the log.
  const tail = await events.tail();
  const ahead = [...entries].filter(([, { position }]) => position > tail);
  if (ahead.length === 0) return;
  logger.warn(
    { consumers: ahead.map(([name]) => name), tail: String(tail) },
    'the database is newer than the log: read models are built again',
  );
  await database.db.collection('op_snapshots').deleteMany({});
  await remakeRuns(database.db, (id) => scopes.load(runOf(service), id));
  for (const [name, entry] of ahead) {
    if (!(await consumers.take(name, entry, owner)))
      throw new AppError('unavailable', [], { message: `another replica has ${name}` });
    const isProjection = collections.has(name);
    // Runs that ended and were removed may be open in the log.
    const fromStart = isProjection || name === runsConsumer;
    if (isProjection) await database.db.collection(name).deleteMany({});
    await consumers.reset({ name, epoch: entry.epoch + 1 }, owner, fromStart ? -1n : tail);
  }
}
