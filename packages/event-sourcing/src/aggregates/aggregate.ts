import { type AnyEvent, type EventOf, type EventTable } from '../events/events.js';
import { fingerprintOf } from '../shared/fingerprint.js';
import { type Metadata } from '../events/metadata.js';
import { streamName } from '../events/streams.js';

/** Where an event came from, for the rare state that needs time or actor; payloads never repeat them. */
export type Evolve<State, E> = (state: State, event: E, meta: Metadata) => State;

/** One kind of consistency boundary: what its stream is called and how its events become a state. */
export interface Aggregate<State, E extends AnyEvent> {
  readonly service: string;
  readonly entity: string;
  readonly events: EventTable;
  readonly initial: State;
  readonly evolve: Evolve<State, E>;
  /** Changes with event types or the code of `evolve`; snapshots made by other code are not used. */
  readonly fingerprint: string;
}

export interface AggregateDefinition<State, T extends EventTable> {
  readonly service: string;
  readonly entity: string;
  readonly events: T;
  readonly initial: State;
  /** Total and pure: it never validates and never throws. Types it does not know are not given to it. */
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

/** The stream of one instance. */
export function streamOf(
  namespace: string,
  aggregate: Pick<Aggregate<unknown, AnyEvent>, 'service' | 'entity'>,
  id: string,
): string {
  return streamName(namespace, aggregate.service, aggregate.entity, id);
}
