import { type Aggregate } from './aggregate.js';
import { type AnyEvent, type Recorded } from './events.js';
import { type Decide, type Done } from './handle.js';
import { type CommandContext } from './metadata.js';

/** Something to be done later. The same id again replaces what was scheduled. */
export interface NewTimer {
  readonly id: string;
  /** Epoch ms by the store's clock. */
  readonly at: number;
  /** Which handler. */
  readonly command: string;
  /** JSON-like. */
  readonly data: unknown;
  readonly organization: string | null;
  readonly correlation: string;
}

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

/** What a context does its work with. */
export interface Doing {
  handle<State, E extends AnyEvent>(aggregate: Aggregate<State, E>, id: string, context: CommandContext, decide: Decide<State, E>): Promise<Done<State, E>>;
  schedule(timer: NewTimer): Promise<void>;
}

/** The context in which a reactor answers an event. */
export function contextOfEvent(doing: Doing, name: string, { id, meta }: Pick<Recorded, 'id' | 'meta'>): ReactionContext {
  return contextOf(doing, { ...system(name), organization: meta.organization, correlation: meta.correlation, causation: id, idem: `${name}:${id}` });
}

/** The context in which a timer is handled. */
export function contextOfTimer(doing: Doing, { id, at, command, organization, correlation }: NewTimer): ReactionContext {
  return contextOf(doing, { ...system(command), organization, correlation, idem: `timer:${id}:${at}` });
}

function system(name: string): Pick<CommandContext, 'actor' | 'operation'> {
  return { actor: { kind: 'system', id: name }, operation: name };
}

function contextOf(doing: Doing, context: CommandContext & { idem: string }): ReactionContext {
  const { idem, organization, correlation } = context;
  return {
    idem,
    context,
    handle: (aggregate, id, decide, own = idem) => doing.handle(aggregate, id, { ...context, idem: own }, decide),
    schedule: (timer) => doing.schedule({ ...timer, organization, correlation }),
  };
}
