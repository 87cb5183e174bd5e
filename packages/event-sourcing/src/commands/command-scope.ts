import { type Aggregate } from '../aggregates/aggregate.js';
import { type AnyEvent, type CommandContext } from '../events/events.js';
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

/** What reservations and runs, which a `StoreScope` works with, use of it. */
export interface CommandScope {
  readonly dry: boolean;
  readonly context: CommandContext;
  step(name: string): this;
  keyed(idem: string | undefined): this;
  handle<State, E extends AnyEvent>(
    aggregate: Aggregate<State, E>,
    id: string,
    decide: Decide<State, E>,
    options?: HandleOptions,
  ): Promise<Done<State, E>>;
}
