import { type Fault, type FaultCode, type Range } from './error.js';
import { LIMITS } from './limits.js';
import { type Scope, type Value } from './value.js';

/** The state of one evaluation. */
export interface Runtime {
  readonly scope: Scope;
  steps: number;
  /** Callback parameters by slot. */
  readonly locals: Value[];
  /** Why the evaluation stopped, set together with `HALT`. */
  fault: Fault | undefined;
}

/** A compiled node. */
export type Evaluate = (runtime: Runtime) => Value;

/**
 * Thrown to stop an evaluation. One instance for all, made once: an ordinary visitor without a claim ends here, and
 * recording a stack for each of them would cost more than the whole evaluation.
 */
export const HALT = new Error('The evaluation stopped');

/** Stops the evaluation. */
export const halt = (runtime: Runtime, code: FaultCode, message: string, { start, end }: Range): never => {
  runtime.fault = { code, message, start, end };
  throw HALT;
};

/** Takes steps from the evaluation's budget and stops it when there are none left. */
export const spend = (runtime: Runtime, steps: number, where: Range): void => {
  runtime.steps += steps;
  if (runtime.steps > LIMITS.steps)
    halt(runtime, 'limit', `The evaluation takes more than ${LIMITS.steps} steps`, where);
};
