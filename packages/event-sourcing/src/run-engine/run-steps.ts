import { type AppError } from '@scriptorium/contracts';
import { type StoreScope } from '../scope/store-scope.js';
import { type RunProgress } from '../runs/run.js';
import { type RunKind } from '../runs/run-kind.js';

/** What a step comes to. */
export type StepOutcome<State> =
  /** There is more to do; not before `afterMs` (ms) have passed, when that is given. */
  | { readonly next: State; readonly progress?: RunProgress; readonly afterMs?: number }
  /** The run is done. `done` is its result: JSON-like, at most 64 KiB, `null` when there is none. */
  | { readonly done: unknown; readonly progress?: RunProgress }
  /** Trying again would not help. The error's message is for people. */
  | { readonly failed: AppError };

/** What a step knows of its run. */
export interface RunContext<Input> {
  readonly id: string;
  readonly input: Input;
  /** Steps that were done before this one. */
  readonly step: number;
  /**
   * The same each time this step is tried: `run:<id>:<step>`. Commands carry it. What a step does besides commands must change
   * nothing when it is done again with the same key.
   */
  readonly idem: string;
  /** Epoch ms by the store's clock. */
  readonly deadline: number;
  /** Aborts at the deadline, when another replica has taken the run, and when this one stops. */
  readonly signal: AbortSignal;
}

/** What a kind of run does. */
export interface RunSteps<Input, State> {
  /**
   * One step of at most 10 s. Commands through `store` are caused by whoever requested the run, are recognised when they are
   * repeated, and do not wait for projections; a second command on one stream needs a step (`store.step`) of its own. When the
   * time of the step is over they are refused. What it throws is tried again, with the same state and the same `idem`: 8 times with growing
   * pauses, for about an hour while a server is away. Then the run fails.
   */
  step(state: State, store: StoreScope, run: RunContext<Input>): Promise<StepOutcome<State>>;
  /** Steps that take back what a cancelled or failed run leaves behind. */
  cleanUp?(
    state: State,
    store: StoreScope,
    run: RunContext<Input>,
    why: 'cancelled' | 'failed',
  ): Promise<StepOutcome<State>>;
}

/** A kind of run as the engine works on it; input and state are checked before each step. */
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

/** Says what a kind of run does. */
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
