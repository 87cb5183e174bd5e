import { type Batch, type EventSource } from '../events/event-source.js';
import { FellBehind } from '../events/live-feed.js';
import { type RawEvent } from '../events/events.js';
import { type Engine, type SubscriptionGroup, type Member, stopMember } from './engine.js';
import { describe } from '../process/observe.js';
import { project } from './projection-writer.js';
import { backOff, pause } from '../process/time.js';

const batchSize = 1024;
const lingerMs = 1;
/**
 * A member that has not written a batch after so long, while others have, goes on apart from them, at least for a
 * while.
 */
const [slowAfter, apartFor] = [250, 60_000];

interface Run {
  engine: Engine;
  group: SubscriptionGroup;
  abort: AbortController;
  source: EventSource | undefined;
  /** Whether the source is the one that the service shares. */
  isShared: boolean;
}

/** Announces how far these projections are, as soon as their documents are written. The checkpoint follows later. */
export function announceProgress({ parts }: Engine, members: readonly Member[]): void {
  parts.progress.announce(members);
  parts.checkpoints.note(members);
}

/** Starts a group. It ends when it has no members left or is stopped, and outlives every failure of the servers. */
export function runGroup(engine: Engine, members: readonly Member[], prefixes: readonly string[]): SubscriptionGroup {
  const abort = new AbortController();
  const group: SubscriptionGroup = {
    members: new Map(members.map((member) => [member.lease.name, member])),
    prefixes,
    taking: -1n,
    trouble: undefined,
    async stop() {
      abort.abort();
      await run.source?.stop();
      await finished;
    },
  };
  const run: Run = { engine, group, abort, source: undefined, isShared: false };
  const finished = keepReading(run).finally(() => {
    engine.groups.delete(group);
    if (engine.live === group) engine.live = undefined;
  });
  return group;
}

function goesOn({ group, abort }: Run): boolean {
  return !abort.signal.aborted && group.members.size > 0;
}

async function keepReading(run: Run): Promise<void> {
  const { group, engine, abort } = run;
  for (let failures = 0; goesOn(run); failures += 1) {
    try {
      await readOn(run, () => (failures = 0));
    } catch (error) {
      // Members may join while the subscription is being stopped: the loop looks again.
      if (!goesOn(run) || error instanceof FellBehind) continue;
      group.trouble = describe(error);
      engine.parts.logger.warn({ projections: [...group.members.keys()], error: group.trouble }, 'projections pause');
      await pause(backOff(failures), abort.signal);
    } finally {
      await run.source?.stop();
      run.source = undefined;
      run.isShared = false;
    }
  }
}

async function readOn(run: Run, progressed: () => void): Promise<void> {
  const { group, engine } = run;
  const start = [...group.members.values()].reduce((least, { at }) => (at < least ? at : least), 2n ** 63n);
  group.taking = start;
  run.source = engine.parts.events.subscribe(group.prefixes, start);
  for (let busy = false; goesOn(run);) {
    const batch = await run.source.next(batchSize, busy ? lingerMs : 0);
    dropLost(run);
    busy = batch.events.length > 1;
    if (batch.position !== undefined && batch.position > group.taking) group.taking = batch.position;
    await write(run, batch);
    group.trouble = undefined;
    progressed();
    if (!batch.caughtUp) continue;
    await becomeLive(run);
    await joinFeed(run);
  }
}

/** The live projections read from the subscription that the service shares, once they are as far as it. */
async function joinFeed(run: Run): Promise<void> {
  const { engine, group } = run;
  if (run.isShared || engine.live !== group) return;
  const shared = engine.parts.feed.join(group.prefixes, group.taking);
  if (shared === undefined) return;
  const own = run.source;
  run.source = shared;
  run.isShared = true;
  await own?.stop();
}

/** A replica that is no longer sure of its lease leaves the projection alone; the lease's next round brings it back. */
function dropLost({ group, engine }: Run): void {
  for (const [name, { lease }] of group.members) {
    if (engine.leases.holds(lease)) continue;
    group.members.delete(name);
    engine.members.delete(name);
  }
}

/**
 * Writes a batch to all members. Those that it does not concern are announced as one batch, a moment later. Each of the
 * others is announced when it is done, and one that takes much longer than the others goes on in a group of its own:
 * nobody waits for it.
 */
async function write(run: Run, { events, position }: Batch): Promise<void> {
  const { engine, group } = run;
  const members = [...group.members.values()];
  const writing = new Map<Member, Promise<void>>();
  const failures: { error: unknown }[] = [];
  const unconcerned: Member[] = [];
  for (const member of members) {
    const relevant = events.filter((event) => event.position > member.at && concerns(member, event));
    if (relevant.length === 0) {
      passTo(member, position);
      unconcerned.push(member);
      continue;
    }
    const done = writeRelevant(engine, member, relevant, { events, position })
      .then(() => announceProgress(engine, [member]))
      .catch((error: unknown) => void failures.push({ error }))
      .finally(() => writing.delete(member));
    writing.set(member, done);
  }
  engine.tellLater(unconcerned);
  const all = Promise.all(writing.values());
  if (engine.live === group) await atMost(slowAfter, all);
  // While all are slow it is the database, and no member keeps another waiting. While a group catches up nobody waits
  // for it.
  if (engine.live === group && writing.size < members.length)
    for (const [member, done] of writing) setApart(run, member, done);
  else await all;
  const [failure] = failures;
  if (failure !== undefined) throw failure.error;
}

/** Waits for work, but no longer than `ms`. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  // Without an abort signal: aborting one makes an exception with its stack, for each batch.
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** The member leaves the group, and goes on by itself when it has written what it was given. */
function setApart({ engine, group }: Run, member: Member, done: Promise<void>): void {
  const { name } = member.lease;
  group.members.delete(name);
  member.apartUntil = engine.parts.clock.monotonic() + apartFor;
  engine.parts.logger.warn({ projection: name }, 'a projection is slow: it goes on apart from the others');
  void done.then(() => {
    if (engine.members.get(name) === member && member.state !== 'stopped' && !engine.stopped) engine.open([member]);
  });
}

async function writeRelevant(
  engine: Engine,
  member: Member,
  relevant: readonly RawEvent[],
  { events, position }: Pick<Batch, 'events' | 'position'>,
): Promise<void> {
  const { parts } = engine;
  const { projection, lease } = member;
  const last = relevant.at(-1);
  const { poison } = await project(member.target, projection, relevant);
  // Not before the documents are there: what a batch before is told of meanwhile would say it, too, and whoever read an
  // old document then would take it for the new one.
  member.changed = last?.position ?? member.changed;
  if (poison !== undefined) {
    member.at = before(events, poison.event) ?? member.at;
    const { event, message } = poison;
    stopMember(engine, member, { message, eventId: event.id, eventType: event.type, stream: event.stream });
    return;
  }
  parts.metrics.projected?.(
    lease.name,
    relevant.length,
    Math.max(0, parts.clock.now() - (last?.created.getTime() ?? 0)),
  );
  passTo(member, position);
}

/** The member has everything up to a position. */
function passTo(member: Member, position: bigint | undefined): void {
  if (position !== undefined && position > member.at) member.at = position;
}

function concerns({ projection, prefixes, filling }: Member, { type, stream, position }: RawEvent): boolean {
  if (filling !== undefined && position <= filling.to && !filling.types.has(type)) return false;
  return projection.types.has(type) && prefixes.some((prefix) => stream.startsWith(prefix));
}

function before(events: readonly RawEvent[], { id }: RawEvent): bigint | undefined {
  return events[events.findIndex((event) => event.id === id) - 1]?.position;
}

/**
 * Everything there was has been read: the members are live, and a group of late-comers joins the live one when it is
 * not behind it.
 */
async function becomeLive({ engine, group }: Run): Promise<void> {
  for (const member of group.members.values()) {
    if (member.state === 'live') continue;
    await engine.parts.checkpoints.flush([member]);
    const { lease, projection } = member;
    if (projection.grows) await engine.parts.consumers.grown(lease, engine.parts.owner, [...projection.types]);
    member.filling = undefined;
    await engine.parts.consumers.mark(member.lease, engine.parts.owner, 'live');
    member.state = 'live';
    announceProgress(engine, [member]);
  }
  if (engine.live === undefined && ![...group.members.values()].some(({ apartUntil }) => apartUntil > 0))
    engine.live = group;
  if (engine.live === undefined || engine.live === group) return;
  const target = engine.live;
  const now = engine.parts.clock.monotonic();
  for (const [name, member] of group.members) {
    if (
      now < member.apartUntil ||
      member.at < target.taking ||
      !member.prefixes.every((prefix) => target.prefixes.includes(prefix))
    )
      continue;
    target.members.set(name, member);
    group.members.delete(name);
  }
}
