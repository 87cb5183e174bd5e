import { type Aggregate } from './aggregate.js';
import { type AnyEvent, type EventTable, type Recorded } from './events.js';
import { type Decide, type Done } from './handle.js';
import { type CommandContext, type Metadata } from './metadata.js';
import { type ProjectedOf } from './projection.js';
import { type NewTimer } from './timers.js';

/** What a reactor or a timer's handler may do. */
export interface ReactionContext {
  /** `<reactor>:<id of the event>`: every command that follows from the event carries it, so that a repetition is recognised. */
  readonly idem: string;
  /** For commands of this reaction: acts as the system, within the event's organization and correlation. */
  readonly context: CommandContext;
  /** `store.handle` with this context, without waiting for projections. A second command on one stream needs an `idem` of its own. */
  handle<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, id: string, decide: Decide<State, E>, idem?: string): Promise<Done<State, E>>;
  /** Schedules a timer in the same context. */
  schedule(timer: Omit<NewTimer, 'organization' | 'correlation'>): Promise<void>;
}

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
  /** Called at least once per event, in order within a stream. Throwing means: try again. */
  readonly react: (event: ProjectedOf<T>, context: ReactionContext) => Promise<void>;
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
  react(event: Recorded, context: ReactionContext): Promise<void>;
}

/** Declares what happens in consequence of events: commands on other streams, timers, calls to other services. */
export function reactor<const T extends readonly EventTable[]>({ name, version = 1, events, entities, from = 'start', react }: ReactorDefinition<T>): Reactor {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new RangeError(`reactor name "${name}" is not snake_case`);
  return {
    name,
    consumer: `reactor_${name}_v${version}`,
    tables: events,
    types: new Set(events.flatMap((table) => table.types)),
    entities,
    from,
    react: (event, context) => react(event as ProjectedOf<T>, context),
  };
}

/** The context of commands that follow from an event. */
export function contextFor(name: string, event: { id: string; meta: Pick<Metadata, 'organization' | 'correlation'> }): CommandContext & { idem: string } {
  return {
    actor: { kind: 'system', id: name },
    organization: event.meta.organization,
    operation: name,
    correlation: event.meta.correlation,
    causation: event.id,
    idem: `${name}:${event.id}`,
  };
}
