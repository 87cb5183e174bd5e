import { AppError } from '@scriptorium/contracts';
import { type Collection, type Db } from 'mongodb';
import { type Broadcast } from '../process/broadcast.js';
import { put, type CollectionIndexes } from '../database/database.js';
import { type Logger, describe } from '../process/observe.js';
import { type CommandContext } from '../events/events.js';
import { type StoreScope } from '../commands/store-scope.js';
import { type NewTimer } from '../commands/timer-request.js';
import { type Slice, sliced } from '../database/slice.js';
import { type Task, repeating } from '../leases/tasks.js';
import { type Clock, backOff, within } from '../process/time.js';

export type DueTimer = NewTimer & { readonly attempts: number };

export type ListedTimer = DueTimer & { readonly parked: boolean; readonly error?: string };

/** Called at least once. Its commands carry the timer's id as `idem`. */
export type TimerHandler = (timer: DueTimer, store: StoreScope) => Promise<void>;

interface TimerDoc {
  _id: string;
  at: number;
  /**
   * When it is tried next. After a failure this is later than `at`, which is part of the key of its commands and does
   * not change.
   */
  due: number;
  command: string;
  data: string;
  organization: string | null;
  correlation: string;
  attempts: number;
  /** Whether it failed too often and waits for an operator. */
  parked: boolean;
  error?: string;
}

export interface Timers {
  /** @throws AppError `unexpected` for a command without a handler in this service */
  schedule(timer: NewTimer): Promise<void>;
  cancel(id: string): Promise<void>;
  /** The next timers and the parked ones, sorted by `at` and id. */
  list(slice: Slice<number>): Promise<ListedTimer[]>;
  count(): Promise<number>;
  /** How many wait, how many of these are a minute late, and how many failed too often. */
  countByState(): Promise<{ waiting: number; late: number; parked: number }>;
  /**
   * Tries a parked timer again.
   * @throws AppError `not_found`
   */
  retry(id: string): Promise<void>;
  /** From now on it is heard what other replicas schedule. */
  hear(): Promise<{ stop(): void }>;
  task: Task;
}

export interface TimerParts {
  db: Db;
  namespace: string;
  service: string;
  broadcast: Broadcast;
  handlers: Readonly<Record<string, TimerHandler>>;
  clock: Clock;
  logger: Logger;
  /** The scope of one timer. */
  scopeOf(context: CommandContext): StoreScope;
}

/**
 * It looks when the next timer is due. What other replicas schedule it hears of; that can be lost, and so it looks at
 * the beats of this time, which are at most half of it further apart.
 */
const lookEvery = 4_000;
const longestRest = 1.5 * lookEvery;
const retryEvery = 250;
const perLook = 100;
const handleWithin = 30_000;
const attemptsPerTimer = 8;
const lateMs = 60_000;

/** Durable timers of one service: `op_timers`, fired by the replica that holds the lease `timers`. */
export function createTimers(parts: TimerParts): Timers {
  const collection = parts.db.collection<TimerDoc>('op_timers');
  const task = repeating(lookEvery, (holds) => fireDue(parts, collection, holds), retryEvery);
  const dueSoon = subjectOf(parts);
  const sooner = (): void => {
    task.poke();
    parts.broadcast.publish(dueSoon, new Uint8Array());
  };
  return {
    async schedule(timer) {
      const { id, at, command } = timer;
      if (!Object.hasOwn(parts.handlers, command)) throw missingHandler(command);
      await put(collection, id, docOf(timer));
      if (at - parts.clock.now() < longestRest) sooner();
    },
    cancel: async (id) => void (await collection.deleteOne({ _id: id })),
    list: async (slice) =>
      (await sliced(collection, 'at', slice)).map(({ parked, error, ...doc }) => ({
        ...toDue(doc),
        parked,
        ...(error === undefined ? {} : { error }),
      })),
    count: () => collection.countDocuments(),
    countByState: () => countTimers(collection, parts.clock.now()),
    async retry(id) {
      const { matchedCount } = await collection.updateOne(
        { _id: id, parked: true },
        { $set: { parked: false, attempts: 0, due: parts.clock.now() } },
      );
      if (matchedCount === 0) throw new AppError('not_found');
      sooner();
    },
    hear: () => parts.broadcast.subscribe(dueSoon, () => task.poke()),
    task: { name: 'timers', run: task.run },
  };
}

/** The subject on which replicas tell that a timer is due soon. */
function subjectOf({ namespace, service }: TimerParts): string {
  return `${namespace}.${service}.timers`;
}

function docOf({ at, command, data, organization, correlation }: NewTimer): Omit<TimerDoc, '_id'> {
  const json = JSON.stringify(data) ?? 'null';
  return { at, due: at, command, data: json, organization, correlation, attempts: 0, parked: false };
}

async function countTimers(collection: Collection<TimerDoc>, now: number): ReturnType<Timers['countByState']> {
  const [waiting, late, parked] = await Promise.all([
    collection.countDocuments({ parked: false }),
    collection.countDocuments({ parked: false, due: { $lte: now - lateMs } }),
    collection.countDocuments({ parked: true }),
  ]);
  return { waiting, late, parked };
}

export const timerIndexes: CollectionIndexes = {
  op_timers: [
    { key: { at: 1, _id: 1 }, name: 'at_id' },
    { key: { due: 1, _id: 1 }, name: 'due_id' },
    { key: { parked: 1, due: 1 }, name: 'parked_due' },
  ],
};

function toDue({
  _id: id,
  at,
  command,
  data,
  organization,
  correlation,
  attempts,
}: Omit<TimerDoc, 'due' | 'parked' | 'error'>): DueTimer {
  return { id, at, command, data: JSON.parse(data) as unknown, organization, correlation, attempts };
}

/** Fires what is due, and resolves to how long it is until the next timer is, ms; without one, to infinity. */
async function fireDue(parts: TimerParts, collection: Collection<TimerDoc>, holds: () => boolean): Promise<number> {
  for (;;) {
    const next = await collection.findOne({ parked: false }, { sort: { due: 1 }, projection: { due: 1 } });
    const wait = next === null ? Infinity : next.due - parts.clock.now();
    if (wait > 0) return wait;
    const due = await collection
      .find({ due: { $lte: parts.clock.now() }, parked: false })
      .sort({ due: 1, _id: 1 })
      .limit(perLook)
      .toArray();
    for (const doc of due) {
      if (!holds()) return 0;
      await fire(parts, collection, doc);
    }
  }
}

/** The context of the commands of a timer. */
function contextOfTimer({ id, at, command, organization, correlation }: NewTimer): CommandContext {
  const actor = { kind: 'system', id: command };
  return { actor, operation: command, organization, correlation, idem: `timer:${id}:${at}` };
}

function missingHandler(command: string): AppError {
  return new AppError('unexpected', [], { message: `no handler for timers of ${command}` });
}

/** Fires a timer. If it was scheduled again while it ran, it has another time and stays. */
async function fire(parts: TimerParts, collection: Collection<TimerDoc>, doc: TimerDoc): Promise<void> {
  const { _id, at, command, attempts } = doc;
  try {
    const handler = Object.hasOwn(parts.handlers, command) ? parts.handlers[command] : undefined;
    if (handler === undefined) throw missingHandler(command);
    const timer = toDue(doc);
    await within(handleWithin, `timer ${command}`, handler(timer, parts.scopeOf(contextOfTimer(timer))));
    await collection.deleteOne({ _id, at });
  } catch (error) {
    const parked = attempts + 1 >= attemptsPerTimer;
    parts.logger.warn(
      { timer: _id, command, attempts: attempts + 1, parked, error: describe(error) },
      'a timer failed',
    );
    const due = parts.clock.now() + backOff(attempts, 500, 60_000);
    await collection.updateOne({ _id, at }, { $set: { due, attempts: attempts + 1, parked, error: describe(error) } });
  }
}
