import { type EventTable, type Recorded } from '../events/events.js';
import { type ProjectedOf } from '../projections/projection.js';
import { type StoreScope } from '../scope/store-scope.js';

interface ReactorDefinition<T extends readonly EventTable[]> {
  /** snake_case. */
  readonly name: string;
  /** A new version reads the log again from its own start. */
  readonly version?: number;
  readonly events: T;
  /** `team` of this service, or `identity.team` in full. */
  readonly entities: readonly string[];
  /** Where a reactor begins that never ran: with the first event ever (default), or with the next one. */
  readonly from?: 'start' | 'now';
  /**
   * Called at least once per event, in order within a stream. Throwing means: try again. Commands through `store` are recognised
   * when they are repeated, and do not wait for projections; a second command on one stream needs a step of its own.
   */
  readonly react: (event: ProjectedOf<T>, store: StoreScope) => Promise<void>;
}

/** A reactor as the engine runs it. */
export interface Reactor {
  readonly name: string;
  /** Name of its lease and checkpoint. */
  readonly consumer: string;
  readonly tables: readonly EventTable[];
  readonly types: ReadonlySet<string>;
  readonly entities: readonly string[];
  readonly from: 'start' | 'now';
  react(event: Recorded, store: StoreScope): Promise<void>;
}

/** Declares what happens in consequence of events: commands on other streams, timers, calls to other services. */
export function reactor<const T extends readonly EventTable[]>({
  name,
  version = 1,
  events,
  entities,
  from = 'start',
  react,
}: ReactorDefinition<T>): Reactor {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new RangeError(`reactor name "${name}" is not snake_case`);
  return {
    name,
    consumer: `reactor_${name}_v${version}`,
    tables: events,
    types: new Set(events.flatMap((table) => table.types)),
    entities,
    from,
    react: (event, store) => react(event as ProjectedOf<T>, store),
  };
}
