import { type Batch, type EventSource } from './event-source.js';
import { type RawEvent } from './events.js';
import { type Grip } from './consumers.js';
import { type Engine, type Lane, type Member, stopMember } from './engine.js';
import { describe } from './observe.js';
import { type Standing } from './progress.js';
import { project } from './projection-writer.js';
import { backOff, pause } from './time.js';

const batchSize = 1024;
const lingerMs = 1;

interface Run {
  engine: Engine;
  lane: Lane;
  abort: AbortController;
  source: EventSource | undefined;
}

/** Starts a lane. It ends when it has no members left or is stopped, and outlives every failure of the servers. */
export function runLane(engine: Engine, members: readonly Member[], prefixes: readonly string[]): Lane {
  const abort = new AbortController();
  const lane: Lane = {
    members: new Map(members.map((member) => [member.grip.name, member])),
    prefixes,
    taking: -1n,
    trouble: undefined,
    async stop() {
      abort.abort();
      await run.source?.stop();
      await finished;
    },
  };
  const run: Run = { engine, lane, abort, source: undefined };
  const finished = keepReading(run).finally(() => {
    engine.lanes.delete(lane);
    if (engine.live === lane) engine.live = undefined;
  });
  return lane;
}

function goesOn({ lane, abort }: Run): boolean {
  return !abort.signal.aborted && lane.members.size > 0;
}

async function keepReading(run: Run): Promise<void> {
  const { lane, engine, abort } = run;
  for (let failures = 0; goesOn(run); failures += 1) {
    try {
      await readOn(run, () => (failures = 0));
    } catch (error) {
      // Members may join while the subscription is being stopped: the loop looks again.
      if (!goesOn(run)) continue;
      lane.trouble = describe(error);
      engine.parts.logger.warn({ projections: [...lane.members.keys()], error: lane.trouble }, 'projections pause');
      await pause(backOff(failures), abort.signal);
    } finally {
      await run.source?.stop();
      run.source = undefined;
    }
  }
}

async function readOn(run: Run, progressed: () => void): Promise<void> {
  const { lane, engine } = run;
  const start = [...lane.members.values()].reduce((least, { at }) => (at < least ? at : least), 2n ** 63n);
  lane.taking = start;
  const source = engine.parts.events.subscribe(lane.prefixes, start);
  run.source = source;
  for (let busy = false; goesOn(run); ) {
    const batch = await source.next(batchSize, busy ? lingerMs : 0);
    dropLost(run);
    busy = batch.events.length > 1;
    if (batch.position !== undefined && batch.position > lane.taking) lane.taking = batch.position;
    await write(run, batch);
    lane.trouble = undefined;
    progressed();
    if (batch.caughtUp) await becomeLive(run);
  }
}

/** A replica that is no longer sure of its lease leaves the projection alone; the lease's next round brings it back. */
function dropLost({ lane, engine }: Run): void {
  for (const [name, { grip }] of lane.members) {
    if (engine.lease.holds(grip)) continue;
    lane.members.delete(name);
    engine.members.delete(name);
  }
}

async function write({ engine, lane }: Run, batch: Batch): Promise<void> {
  const members = [...lane.members.values()];
  const results = await Promise.allSettled(members.map((member) => writeMember(engine, member, batch)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  tell(engine, [...lane.members.values()]);
}

async function writeMember(engine: Engine, member: Member, { events, position }: Batch): Promise<void> {
  const { parts } = engine;
  const { projection, grip } = member;
  const relevant = events.filter((event) => event.position > member.at && concerns(member, event));
  if (relevant.length > 0) {
    member.changed = relevant.at(-1)?.position ?? member.changed;
    const { poison } = await project(member.target, projection, relevant);
    if (poison !== undefined) {
      member.at = before(events, poison.event) ?? member.at;
      const { event, message } = poison;
      stopMember(engine, member, { message, eventId: event.id, eventType: event.type, stream: event.stream });
      return;
    }
    parts.metrics.projected?.(grip.name, relevant.length, Math.max(0, parts.clock.now() - (relevant.at(-1)?.created.getTime() ?? 0)));
  }
  if (position !== undefined && position > member.at) member.at = position;
}

function concerns({ projection, prefixes }: Member, { type, stream }: RawEvent): boolean {
  return projection.types.has(type) && prefixes.some((prefix) => stream.startsWith(prefix));
}

function before(events: readonly RawEvent[], { id }: RawEvent): bigint | undefined {
  return events[events.findIndex((event) => event.id === id) - 1]?.position;
}

/** Waiters are told as soon as the documents are there; the checkpoint follows in its own time. */
function tell(engine: Engine, members: readonly Member[]): void {
  const byPosition = new Map<bigint, (Grip & Standing)[]>();
  for (const { grip, at, state, changed } of members) byPosition.set(at, [...(byPosition.get(at) ?? []), { ...grip, state, changed }]);
  for (const [at, of] of byPosition) engine.parts.progress.announce({ at, of });
  engine.checkpoints.note(members);
}

/** Everything there was has been read: the members are live, and a lane of late-comers joins the live one when it is not behind it. */
async function becomeLive({ engine, lane }: Run): Promise<void> {
  for (const member of lane.members.values()) {
    if (member.state === 'live') continue;
    await engine.checkpoints.flush([member]);
    await engine.parts.consumers.mark(member.grip, engine.parts.owner, 'live');
    member.state = 'live';
    tell(engine, [member]);
  }
  engine.live ??= lane;
  if (engine.live === lane) return;
  const target = engine.live;
  for (const [name, member] of lane.members) {
    if (member.at < target.taking || !member.prefixes.every((prefix) => target.prefixes.includes(prefix))) continue;
    target.members.set(name, member);
    lane.members.delete(name);
  }
}
