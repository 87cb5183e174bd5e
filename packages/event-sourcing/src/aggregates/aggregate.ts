import { type AnyEvent, type EventOf, type EventTable, type Metadata } from '../events/events.js';
import { fingerprintOf } from './fingerprint.js';

/**
 * The next state after an event. The metadata are for states that need time or actor, since payloads do not contain
 * these.
 */
export type Evolve<State, E> = (state: State, event: E, meta: Metadata) => State;

/** One kind of stream: its name, its events, and how a state is made from them. */
export interface Aggregate<State, E extends AnyEvent> {
  readonly service: string;
  readonly entity: string;
  readonly events: EventTable;
  readonly initial: State;
  readonly evolve: Evolve<State, E>;
  /** A hash of the event types and the code of `evolve`. Snapshots with another fingerprint are not used. */
  readonly fingerprint: string;
}

export interface AggregateDefinition<State, T extends EventTable> {
  readonly service: string;
  readonly entity: string;
  readonly events: T;
  readonly initial: State;
  /** Total and pure: it never validates and never throws. It is not called for unknown types. */
  readonly evolve: Evolve<State, EventOf<T>>;
}

/** Declares an aggregate. States must survive structured cloning (plain objects, `Map`, `Set`, dates). */
export function defineAggregate<State, T extends EventTable>(
  definition: AggregateDefinition<State, T>,
): Aggregate<State, EventOf<T>> {
  const { service, entity, events, initial, evolve } = definition;
  return {
    service,
    entity,
    events,
    initial,
    evolve,
    fingerprint: fingerprintOf(`${service}.${entity}`, events.types, evolve),
  };
}
