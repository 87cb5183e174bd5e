import type { ServiceContext } from '@scriptorium/platform';
import type { Collection } from 'mongodb';
import type { ScriptTrace } from '../scripts/index.js';

type Within = Pick<ServiceContext, 'database'>;

/** One attempt at a delivery. */
export interface AttemptRecord {
  at: string;
  durationMs: number;
  /** The status that the script answered, or why there was no answer. */
  status: number | null;
  reason: string | null;
  /** What the script did; `null` while that is not known. */
  trace: ScriptTrace | null;
  /** The beginning of what a webhook has answered. */
  answer?: string | undefined;
}

interface AttemptDocument extends AttemptRecord {
  /** `<event>:<time>`. */
  _id: string;
  event: string;
  integration: string;
  installation: string;
  /** When it began, ms. */
  time: number;
  /** The user for whom the script was called. */
  user?: string | undefined;
}

export const traceIndexes = {
  op_traces: [
    { key: { time: 1 }, name: 'time' },
    { key: { event: 1, time: 1 }, name: 'event_time' },
    { key: { installation: 1 }, name: 'installation' },
    { key: { user: 1 }, name: 'user' },
  ],
} as const;

const removedAtOnce = 1_000;
/** The latest attempts that are shown: an event can be delivered again and again. */
const shownAttempts = 20;

function traces({ database }: Within): Collection<AttemptDocument> {
  return database.collection<AttemptDocument>('op_traces');
}

/** Records an attempt that began at `time`, ms. */
export async function addAttempt(
  scope: Within,
  { event, integration, installation, time, user }: Omit<AttemptDocument, '_id' | keyof AttemptRecord>,
  attempt: AttemptRecord,
): Promise<void> {
  const _id = `${event}:${time}`;
  const of = { event, integration, installation, time, ...(user === undefined ? {} : { user }) };
  await traces(scope).replaceOne({ _id }, { ...of, ...attempt }, { upsert: true });
}

/** Adds what a script did in an attempt. */
export async function addTrace(scope: Within, event: string, time: number, trace: ScriptTrace): Promise<void> {
  await traces(scope).updateOne({ _id: `${event}:${time}` }, { $set: { trace } });
}

/** The latest attempts at a delivery, in their order. */
export async function attemptsOf(scope: Within, event: string): Promise<AttemptRecord[]> {
  const found = await traces(scope).find({ event }).sort({ time: -1 }).limit(shownAttempts).toArray();
  return found.toReversed();
}

/** The latest attempts at a few deliveries, in their order, by the event. */
export async function attemptsOfAll(
  scope: Within,
  events: readonly string[],
): Promise<ReadonlyMap<string, readonly AttemptRecord[]>> {
  const found = await traces(scope)
    .find({ event: { $in: [...events] } })
    .sort({ event: 1, time: 1 })
    .toArray();
  const all = new Map<string, AttemptRecord[]>();
  for (const one of found) all.set(one.event, [...(all.get(one.event) ?? []).slice(1 - shownAttempts), one]);
  return all;
}

/** Removes the traces of events. */
export async function dropTraces(scope: Within, events: readonly string[]): Promise<void> {
  if (events.length > 0) await traces(scope).deleteMany({ event: { $in: [...events] } });
}

/** Removes the traces of calls that were made for a user. */
export async function dropTracesOf(scope: Within, user: string): Promise<void> {
  await traces(scope).deleteMany({ user });
}

/** Removes traces of before `time`, ms. Whether there may be more. */
export async function removeOldTraces(scope: Within, time: number): Promise<boolean> {
  const old = await traces(scope)
    .find({ time: { $lt: time } })
    .project<{ _id: string }>({ _id: 1 })
    .limit(removedAtOnce)
    .toArray();
  if (old.length > 0) await traces(scope).deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
  return old.length === removedAtOnce;
}
