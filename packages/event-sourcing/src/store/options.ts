import { type RecordedCommit } from '../commands/command.js';
import { type Broadcast } from '../process/broadcast.js';
import { type Ids } from '../process/ids.js';
import { type Logger, type StoreMetrics } from '../process/observe.js';
import { type AnyProjection } from '../projections/projection.js';
import { type Reactor } from '../reactors/reactor.js';
import { type ReservationKind } from '../commands/reservation-request.js';
import { type RunHandler } from '../runs/engine/run-steps.js';
import { type Clock } from '../process/time.js';
import { type TimerHandler } from '../timers/timers.js';

export interface StoreOptions {
  readonly service: string;
  /** Prefixes streams, subjects and the database's name. */
  readonly namespace: string;
  readonly eventstoreUrl: string;
  readonly mongoUrl: string;
  readonly projections?: readonly AnyProjection[];
  readonly reactors?: readonly Reactor[];
  /** What runs when a timer is due, by its command. */
  readonly timers?: Readonly<Record<string, TimerHandler>>;
  /** The kinds of run that replicas of this code work on. */
  readonly runs?: readonly RunHandler[];
  /** Runs that this replica works on at a time; 4 unless told. */
  readonly runsAtOnce?: number;
  readonly reservations?: ReservationOptions;
  /** How replicas hear of each other; without one there is only this process. */
  readonly broadcast?: Broadcast;
  /** Told of each append. */
  readonly recorded?: (commit: RecordedCommit) => void;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly metrics?: StoreMetrics;
  readonly logger?: Logger;
}

export interface ReservationOptions {
  /** At least 32 bytes; never rotated, since streams are named by it. */
  readonly key: Uint8Array;
  readonly kinds: readonly ReservationKind[];
}
