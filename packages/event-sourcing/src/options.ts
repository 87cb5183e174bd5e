import { type Broadcast } from './broadcast.js';
import { type Ids } from './ids.js';
import { type Logger, type StoreMetrics } from './observe.js';
import { type AnyProjection } from './projection.js';
import { type Reactor } from './reactor.js';
import { type ReservationKind } from './reservation-steps.js';
import { type Clock } from './time.js';
import { type TimerHandler } from './timers.js';

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
  readonly reservations?: ReservationOptions;
  /** How replicas hear of each other; without one there is only this process. */
  readonly broadcast?: Broadcast;
  /** Told of each commit: whose it is, and the position of its last event. */
  readonly recorded?: (organization: string | null, position: bigint) => void;
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
