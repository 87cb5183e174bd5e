import { type AppError } from '@scriptorium/contracts';
import { type StoreScope } from '../../commands/store-scope.js';
import { type RunProgress, type RunKind } from '../../commands/run-request.js';

/** The outcome of a step. */
export type StepOutcome<State> =
  /** There is more to do. `afterMs`: the time in milliseconds before the next step. */
  | { readonly next: State; readonly progress?: RunProgress; readonly afterMs?: number }
  /** The run is done. `done` is its result: JSON-like, at most 64 KiB, `null` when there is none. */
  | { readonly done: unknown; readonly progress?: RunProgress }
  /** The run has failed, and another attempt would not help. People read the error's message. */
  | { readonly failed: AppError };

/** What a step knows about its run. */
export interface RunContext<Input> {
  readonly id: string;
  readonly input: Input;
  /** Number of steps that were done before this one. */
  readonly step: number;
  /**
   * `run:<id>:<step>`, the same at each attempt at this step. Commands carry it. All other effects of a step must be
   * such that a repetition with the same key changes nothing.
   */
  readonly idem: string;
  /** Milliseconds since 1970 by the store's clock. */
  readonly deadline: number;
  /** Aborts at the deadline, when another replica has taken the run, and when this replica stops. */
  readonly signal: AbortSignal;
}

/** The steps of a kind of run. */
export interface RunSteps<Input, State> {
  /**
   * One step of at most 10 s, unless its kind says otherwise. Commands through `store` act as the principal who
   * requested the run. Repeated ones are recognised, and they do not wait for projections. A second command on the same
   * stream needs a step (`store.step`) of its own. After the time of the step they are refused. When it throws, it is
   * tried again with the same state and the same `idem`: 8 times with growing pauses, and for about an hour while a
   * server is unavailable. Then the run fails.
   */
  step(state: State, store: StoreScope, run: RunContext<Input>): Promise<StepOutcome<State>>;
  /** Steps that undo what a cancelled or failed run leaves behind. */
  cleanUp?(
    state: State,
    store: StoreScope,
    run: RunContext<Input>,
    why: 'cancelled' | 'failed',
  ): Promise<StepOutcome<State>>;
}

/** A kind of run as the engine uses it. Input and state are validated before each step. */
export interface RunHandler {
  readonly kind: RunKind<unknown, unknown>;
  readonly hasCleanUp: boolean;
  begin(input: unknown): unknown;
  step(state: unknown, store: StoreScope, run: RunContext<unknown>): Promise<StepOutcome<unknown>>;
  cleanUp(
    state: unknown,
    store: StoreScope,
    run: RunContext<unknown>,
    why: 'cancelled' | 'failed',
  ): Promise<StepOutcome<unknown>>;
}

/** Declares the steps of a kind of run. */
export function runHandler<Input, State>(kind: RunKind<Input, State>, steps: RunSteps<Input, State>): RunHandler {
  const typed = (run: RunContext<unknown>): RunContext<Input> => ({
    ...run,
    input: kind.input.parse(run.input),
  });
  return {
    kind,
    hasCleanUp: steps.cleanUp !== undefined,
    begin: (input) => kind.begin(kind.input.parse(input)),
    step: async (state, store, run) => steps.step(kind.state.parse(state), store, typed(run)),
    cleanUp: async (state, store, run, why) =>
      steps.cleanUp === undefined ? { done: null } : steps.cleanUp(kind.state.parse(state), store, typed(run), why),
  };
}
