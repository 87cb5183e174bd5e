import { type EventTable, type Recorded } from '../events/events.js';
import { type ProjectedOf } from '../projections/projection.js';
import { type StoreScope } from '../commands/store-scope.js';

interface ReactorDefinition<T extends readonly EventTable[]> {
  /** In snake_case. */
  readonly name: string;
  /** A new version reads the log again, from its `from`. */
  readonly version?: number;
  readonly events: T;
  /** `team` for this service, or `identity.team`. */
  readonly entities: readonly string[];
  /** Where a new reactor begins: at the first event (default), or at the next one. */
  readonly from?: 'start' | 'now';
  /**
   * Called at least once for each event, in order within a stream. When it throws, it is called again. Repeated
   * commands through `store` are recognised. They do not wait for projections. A second command on the same stream
   * needs a step of its own.
   */
  readonly react: (event: ProjectedOf<T>, store: StoreScope) => Promise<void>;
}

/** A reactor as the engine uses it. */
export interface Reactor {
  readonly name: string;
  /** The name of its lease and checkpoint. */
  readonly consumer: string;
  readonly tables: readonly EventTable[];
  readonly types: ReadonlySet<string>;
  readonly entities: readonly string[];
  readonly from: 'start' | 'now';
  react(event: Recorded, store: StoreScope): Promise<void>;
}

/** Declares a reaction to events: commands on other streams, timers, requests to other services. */
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
