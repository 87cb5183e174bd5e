import { type Aggregate } from '../aggregates/aggregate.js';
import { type FoldCache, type Snapshots } from '../aggregates/folded.js';
import { type EventStore, type NewEvent } from '../events/event-store.js';
import { type AnyEvent, type CommandContext, type Recorded } from '../events/events.js';
import { type Ids } from '../process/ids.js';
import { type StoreMetrics } from '../process/observe.js';
import { type Clock } from '../process/time.js';
import { type Written } from '../projections/wait.js';
import { type Work } from './work.js';

/**
 * A decision: what happens in this state. Pure and synchronous; refuses by throwing `AppError`; `[]` means nothing to
 * do.
 */
export type Decide<State, E> = (state: State) => readonly E[];

/** What a command makes before it is recorded. */
export interface Made<E> {
  /** What happens; `[]` means nothing to do. */
  readonly events: readonly E[];
}

/** The stream of a command at its turn, with its newest position. */
export interface Seen<State> extends Written {
  readonly state: State;
}

/** A command that makes something of the state first, and what this means for the commands behind it. */
export interface Making<State, E, M extends Made<E>> {
  /** May be called several times, each time with another state. Refuses by rejecting. */
  make(this: void, seen: Seen<State>): Promise<M>;
  /**
   * It is made within a few milliseconds: so it may be made on what the commands before it are about to record, and be
   * recorded with them.
   */
  readonly isShort: boolean;
  /** Called before an append, with all that is recorded by it. The commands of one stream have the same one. */
  beforeAppend?(this: void, made: readonly M[]): Promise<void>;
}

export type AnyMaking = Making<unknown, AnyEvent, Made<AnyEvent>>;

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
  /** What it has made, unless it was carried out before. */
  made?: Made<unknown> | undefined;
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
  clock: Clock;
  ids: Ids;
  metrics: StoreMetrics;
  recorded: (commit: RecordedCommit) => void;
}

export interface CommandOptions {
  context: CommandContext;
  work: Work;
  /** See `HandleOptions`. */
  isNew?: boolean | undefined;
  isLook?: boolean | undefined;
}

/** One command on one stream, within its work. */
export interface Command<State, E extends AnyEvent> extends CommandOptions {
  parts: HandleParts;
  aggregate: Aggregate<State, E>;
  stream: string;
  context: CommandContext & { deadline: number };
  decide: Decide<State, E> | AnyMaking;
}

/** A command whose types are known to whoever gave it. All commands of one stream have the same ones. */
export type AnyCommand = Command<unknown, AnyEvent>;
export type AnyCommands = readonly [AnyCommand, ...AnyCommand[]];
export type AnyDone = Done<unknown, AnyEvent>;

/** A command with the events that it came to, as they are written. */
export interface DecidedCommand {
  command: AnyCommand;
  events: readonly NewEvent[];
  made: Made<AnyEvent>;
}
