import { type Db } from 'mongodb';
import { type Checkpoints } from './checkpoints.js';
import { type ConsumerState, type Consumers, type Grip, type Problem } from './consumers.js';
import { type EventStore } from './event-store.js';
import { type Lease } from './lease.js';
import { type Logger, type StoreMetrics } from './observe.js';
import { type Progress } from './progress.js';
import { type AnyProjection } from './projection.js';
import { type Target } from './projection-writer.js';
import { type Clock } from './time.js';

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
export async function stopMember(engine: Engine, member: Member, problem: Problem): Promise<void> {
  const { parts } = engine;
  member.state = 'stopped';
  for (const lane of engine.lanes) lane.members.delete(member.grip.name);
  parts.logger.error({ projection: member.grip.name, ...problem }, 'a projection stopped at an event it cannot take');
  parts.metrics.stopped?.(member.grip.name, problem.eventType);
  await parts.consumers.checkpoint([member.grip], parts.owner, member.at);
  await parts.consumers.mark(member.grip, parts.owner, 'stopped', problem);
  parts.progress.announce({ at: member.at, of: [{ ...member.grip, state: 'stopped' }] });
}
