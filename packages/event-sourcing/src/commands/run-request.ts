import { z } from 'zod';

export const runProgressSchema = z.object({
  done: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
});

export const runFailureSchema = z.object({ reason: z.string(), message: z.string() });

/** The progress of a run. `total` is absent if it is not known. */
export type RunProgress = z.output<typeof runProgressSchema>;

/** Why a run failed: a reason of the contract and a sentence for people. */
export type RunFailure = z.output<typeof runFailureSchema>;

export type RunOutcome = 'done' | 'failed' | 'cancelled';

/** The request for a run. The same id is the same run. */
export interface NewRun<Input> {
  /** Letters, digits, `-` and `_`, at most 128. */
  readonly id: string;
  readonly input: Input;
}

/** The part of a kind of run that is needed to request one. */
export interface RunKind<Input, State> {
  readonly kind: string;
  readonly version: number;
  /** `<kind>_v<version>`: a replica works on it only if it declares this name. */
  readonly name: string;
  readonly input: z.ZodType<Input>;
  readonly state: z.ZodType<State>;
  readonly cancellable: boolean;
  readonly openAtMost: number;
  readonly keepMs: number;
  /** How long (ms) one attempt at a step may take. */
  readonly stepWithinMs: number;
  /** Whether such runs leave one place of a replica to other kinds. */
  readonly leavesRoom: boolean;
  begin(this: void, input: Input): State;
}

/** A run as clients see it. Times are in milliseconds since 1970. */
export interface RunView {
  readonly id: string;
  readonly kind: string;
  readonly version: number;
  readonly organization: string | null;
  /** Id of the principal who requested it. */
  readonly requestedBy: string;
  readonly input: unknown;
  /** `pending`: no step has begun. `cancelling`: it ends after the present step, or is cleaning up. */
  readonly status: 'pending' | 'running' | 'cancelling' | RunOutcome;
  readonly progress?: RunProgress;
  readonly requestedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The result of the last step; `null` if it gave none. */
  readonly result: unknown;
  readonly failure?: RunFailure;
  /** For operators: finished steps, failed attempts at the next one, and the last error. */
  readonly step: number;
  readonly attempts: number;
  readonly error?: string;
}

/** The functions with which work requests, finds and cancels runs. `Scope`: the `StoreScope` of the work. */
export interface RunCommands<Scope> {
  /**
   * Requests a run for the same organization and correlation; the same id again is the same run, however far it is. It
   * begins at once in this process, or within 3 s on another replica. Throws `already_exists` when the id belongs to a
   * run of something else, `limit_reached` when the organization has too many open ones of this kind, and `too_large`
   * for an input beyond 64 KiB.
   */
  request<I, S>(scope: Scope, kind: RunKind<I, S>, run: NewRun<I>): Promise<RunView>;
  /**
   * Has a run end at its next step boundary; nothing happens to one that has ended. Throws `not_found`, and `conflict`
   * for a kind that cannot be cancelled.
   */
  cancel(scope: Scope, id: string): Promise<void>;
  /** `null` for a run that never existed, or that ended so long ago that it was removed. */
  find(id: string): Promise<RunView | null>;
}
