import { type Db } from 'mongodb';
import { type Checkpoints } from './checkpoints.js';
import { type ConsumerState, type Consumers, type Grip, type Problem } from './consumers.js';
import { type EventStore } from './event-store.js';
import { type Lease } from './lease.js';
import { type Logger, type StoreMetrics, describe } from './observe.js';
import { type Progress } from './progress.js';
import { type AnyProjection } from './projection.js';
import { type Target } from './projection-writer.js';
import { type Clock, backOff, pause } from './time.js';

export interface ProjectorParts {
  namespace: string;
  service: string;
  owner: string;
  projections: readonly AnyProjection[];
  db: Db;
  events: EventStore;
  consumers: Consumers;
  progress: Progress;
  clock: Clock;
  logger: Logger;
  metrics: StoreMetrics;
}

/** A projection that this replica runs. */
export interface Member {
  readonly projection: AnyProjection;
  readonly grip: Grip;
  readonly prefixes: readonly string[];
  readonly target: Target;
  /** Everything up to here is in the collection. */
  at: bigint;
  /** Position behind which its documents have not changed: what was read since then still holds. */
  changed: bigint;
  state: ConsumerState;
}

/** Projections that read the log together, batch by batch. */
export interface Lane {
  readonly members: Map<string, Member>;
  readonly prefixes: readonly string[];
  /** End of the batch that was last taken from the log, written or not. */
  taking: bigint;
  /** Why it does not go on, when it does not. */
  trouble: string | undefined;
  stop(): Promise<void>;
}

/** What lanes share. The live lane serves everything that is up to date; whoever is behind catches up in a lane of its own. */
export interface Engine {
  parts: ProjectorParts;
  lease: Pick<Lease, 'holds'>;
  members: Map<string, Member>;
  live: Lane | undefined;
  lanes: Set<Lane>;
  checkpoints: Checkpoints;
}

/** Puts a projection out of service at the event it cannot take; the others go on. */
export function stopMember(engine: Engine, member: Member, problem: Problem): void {
  const { parts } = engine;
  member.state = 'stopped';
  for (const lane of engine.lanes) lane.members.delete(member.grip.name);
  parts.logger.error({ projection: member.grip.name, ...problem }, 'a projection stopped at an event it cannot take');
  parts.metrics.stopped?.(member.grip.name, problem.eventType);
  parts.progress.announce({ at: member.at, of: [{ ...member.grip, state: 'stopped', changed: member.changed }] });
  void tellStopped(engine, member, problem);
}

/** Writers of other replicas wait for a live projection, so that it is not one must get through. */
async function tellStopped({ parts, lease, members }: Engine, { grip, at }: Member, problem: Problem): Promise<void> {
  for (let failures = 0; members.get(grip.name)?.grip === grip && (failures === 0 || lease.holds(grip)); failures += 1) {
    try {
      await parts.consumers.checkpoint([grip], parts.owner, at);
      await parts.consumers.mark(grip, parts.owner, 'stopped', problem);
      return;
    } catch (error) {
      parts.logger.warn({ projection: grip.name, error: describe(error) }, 'that a projection stopped could not be recorded');
      await pause(backOff(failures));
    }
  }
}
