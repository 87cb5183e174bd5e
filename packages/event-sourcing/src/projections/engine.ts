import { type Db } from 'mongodb';
import { type Checkpoints } from '../leases/checkpoints.js';
import { type ConsumerState, type Consumers, type HeldLease, type Problem } from '../leases/consumers.js';
import { type EventStore } from '../events/event-store.js';
import { type LiveFeed } from '../events/live-feed.js';
import { type LeaseManager } from '../leases/lease-manager.js';
import { type Logger, type StoreMetrics, describe } from '../process/observe.js';
import { type Progress } from './progress.js';
import { type AnyProjection } from './projection.js';
import { type Target } from './projection-writer.js';
import { type Clock, backOff, pause } from '../process/time.js';

export interface ProjectorParts {
  namespace: string;
  service: string;
  owner: string;
  projections: readonly AnyProjection[];
  db: Db;
  events: EventStore;
  consumers: Consumers;
  progress: Progress;
  checkpoints: Checkpoints;
  feed: LiveFeed;
  clock: Clock;
  logger: Logger;
  metrics: StoreMetrics;
}

/** A projection that this replica runs. */
export interface Member {
  readonly projection: AnyProjection;
  readonly lease: HeldLease;
  readonly prefixes: readonly string[];
  readonly target: Target;
  /** Everything up to here is in the collection. */
  at: bigint;
  /** Position behind which its documents have not changed: what was read since then still holds. */
  changed: bigint;
  state: ConsumerState;
  /** Of one that has grown: event types that are filled in, and up to where; what is behind that is taken as usual. */
  filling: { readonly types: ReadonlySet<string>; readonly to: bigint } | undefined;
  /** Until then it reads apart from the live ones, since it was slow; ms of the monotonic clock. */
  apartUntil: number;
}

/** Projections that read the log together, batch by batch. */
export interface SubscriptionGroup {
  readonly members: Map<string, Member>;
  readonly prefixes: readonly string[];
  /** End of the batch that was last taken from the log, written or not. */
  taking: bigint;
  /** Why it does not go on, when it does not. */
  trouble: string | undefined;
  stop(): Promise<void>;
}

/**
 * What groups share. The live group serves everything that is up to date; whoever is behind catches up in a group of
 * its own.
 */
export interface Engine {
  parts: ProjectorParts;
  leases: Pick<LeaseManager, 'holds'>;
  members: Map<string, Member>;
  live: SubscriptionGroup | undefined;
  groups: Set<SubscriptionGroup>;
  stopped: boolean;
  /** Has these projections read the log in a group of their own. */
  open(members: readonly Member[]): void;
  /**
   * Tells how far projections are that passed over events without writing, at most every 20 ms: nobody waits for them
   * because of these events.
   */
  tellLater(members: readonly Member[]): void;
}

/** Puts a projection out of service at the event it cannot take; the others go on. */
export function stopMember(engine: Engine, member: Member, problem: Problem): void {
  const { parts } = engine;
  member.state = 'stopped';
  for (const group of engine.groups) group.members.delete(member.lease.name);
  parts.logger.error({ projection: member.lease.name, ...problem }, 'a projection stopped at an event it cannot take');
  parts.metrics.stopped?.(member.lease.name, problem.eventType);
  parts.progress.announce([member]);
  void tellStopped(engine, member, problem);
}

/** Writers of other replicas wait for a live projection, so that it is not one must get through. */
async function tellStopped({ parts, leases, members }: Engine, { lease, at }: Member, problem: Problem): Promise<void> {
  for (
    let failures = 0;
    members.get(lease.name)?.lease === lease && (failures === 0 || leases.holds(lease));
    failures += 1
  ) {
    try {
      await parts.consumers.checkpoint([{ lease, at }], parts.owner);
      await parts.consumers.mark(lease, parts.owner, 'stopped', problem);
      return;
    } catch (error) {
      parts.logger.warn(
        { projection: lease.name, error: describe(error) },
        'that a projection stopped could not be recorded',
      );
      await pause(backOff(failures));
    }
  }
}
