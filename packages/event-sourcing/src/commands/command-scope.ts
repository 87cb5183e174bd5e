import { type Aggregate } from '../aggregates/aggregate.js';
import { type AnyEvent } from '../events/events.js';
import { type Actor, type CommandContext, type Within } from '../events/metadata.js';
import { type Decide, type Done } from './command.js';

export interface HandleOptions {
  /** Whether to wait until the projections of the service show what was recorded. */
  readonly wait?: boolean;
  /**
   * The id was made for this command, by `idFor` for example: without an idempotency key nobody can have used it
   * before, and the log is not asked for a stream that cannot be there.
   */
  readonly isNew?: boolean;
  /**
   * The cached state of the stream is enough, although another process may have moved it since: for decisions whose
   * outcome is recorded by a later command, which notices that.
   */
  readonly fromMemory?: boolean;
}

/**
 * Commands of one piece of work. A scope derived from it records for another organization, actor or step; all of them
 * share what the work has done, and its conditions.
 */
export interface CommandScope {
  /** Whether nothing is recorded: what is no event must not happen either. */
  readonly dry: boolean;
  /** Whether commands wait until projections show what they recorded, unless told. */
  readonly waits: boolean;
  /** What is recorded beside each event. */
  readonly context: CommandContext;
  /** The same work; its events belong to this organization, or to none. */
  in(organization: string | null): this;
  /** The same work; its events happen in a space, a site or a change request. */
  within(place: Within): this;
  /** The same work; its events are caused by somebody else. `source`: by what they acted, if not by a program. */
  as(actor: Actor, source?: string): this;
  /**
   * A step with an idempotency key of its own: for work that changes one stream more than once. Without a key it stays
   * so.
   */
  step(name: string): this;
  /** The same work under this idempotency key, or none: for commands that do nothing when they are repeated. */
  keyed(idem: string | undefined): this;
  /**
   * Runs a command: see `handleCommand`. Then waits until the projections show what was recorded; longer than 2 s is
   * counted, and near the deadline it is `unavailable`: recorded, to be found by reading or by repeating with the same
   * key.
   */
  handle<State, E extends AnyEvent>(
    aggregate: Aggregate<State, E>,
    id: string,
    decide: Decide<State, E>,
    options?: HandleOptions,
  ): Promise<Done<State, E>>;
}
