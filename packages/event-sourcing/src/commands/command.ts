import { type Aggregate } from '../aggregates/aggregate.js';
import { type FoldCache } from '../aggregates/folded.js';
import { type Snapshots } from '../aggregates/snapshots.js';
import { type EventStore } from '../events/event-store.js';
import { type AnyEvent, type Recorded } from '../events/events.js';
import { type CommandContext } from '../events/metadata.js';
import { type Ids } from '../process/ids.js';
import { type StoreMetrics } from '../process/observe.js';
import { type BatchQueue } from '../process/queues.js';
import { type Clock } from '../process/time.js';
import { type Work } from './work.js';

/**
 * A decision: what happens in this state. Pure and synchronous; refuses by throwing `AppError`; `[]` means nothing to
 * do.
 */
export type Decide<State, E> = (state: State) => readonly E[];

/** What a command did. */
export interface Done<State, E extends AnyEvent> {
  /** The state behind all events of the stream that are known. */
  state: State;
  /** What this command recorded; empty when there was nothing to do. */
  events: readonly Recorded<E>[];
  /** Revision of its last event, or of the stream when it recorded nothing; `-1n` when there is no stream. */
  revision: bigint;
  /** Commit position of that event. */
  position: bigint;
  /** The command had been carried out before (same `idem`); `events` are those of that time. */
  repeated: boolean;
  /**
   * The types whose projections a reader of this outcome has to wait for: what was recorded, or all when nothing was.
   */
  types: readonly string[];
}

/** What is told of each append. */
export interface RecordedCommit {
  organization: string | null;
  /** Entity of the stream in full: `identity.team`. */
  entity: string;
  /** Commit position of its last event. */
  position: bigint;
  /** The types of its events. */
  types: readonly string[];
}

export interface HandleParts {
  namespace: string;
  events: EventStore;
  snapshots: Snapshots;
  cache: FoldCache;
  /** Commands of this process that wait for the same stream. */
  queue: BatchQueue<AnyCommand, AnyDone>;
  clock: Clock;
  ids: Ids;
  metrics: StoreMetrics;
  recorded: (commit: RecordedCommit) => void;
}

/** One command on one stream, within its work. */
export interface Command<State, E extends AnyEvent> {
  parts: HandleParts;
  aggregate: Aggregate<State, E>;
  stream: string;
  context: CommandContext & { deadline: number };
  decide: Decide<State, E>;
  work: Work;
  /** See `HandleOptions`. */
  isNew?: boolean | undefined;
  fromMemory?: boolean | undefined;
}

/** A command whose types are known to whoever gave it. All commands of one stream have the same ones. */
export type AnyCommand = Command<unknown, AnyEvent>;
export type AnyCommands = readonly [AnyCommand, ...AnyCommand[]];
export type AnyDone = Done<unknown, AnyEvent>;
