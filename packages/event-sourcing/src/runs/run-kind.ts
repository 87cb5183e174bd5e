import { AppError } from '@scriptorium/contracts';
import { type z } from 'zod';
import { type RunFailure } from './run.js';

/** A run that is to be made. The same id again is the same run. */
export interface NewRun<Input> {
  /** Letters, digits, `-` and `_`, at most 128. */
  readonly id: string;
  readonly input: Input;
}

/** What a run is made of, as whoever requests one needs to know it. */
export interface RunKind<Input, State> {
  readonly kind: string;
  readonly version: number;
  /** `<kind>_v<version>`: what a replica must declare to work on it. */
  readonly name: string;
  readonly input: z.ZodType<Input>;
  readonly state: z.ZodType<State>;
  readonly cancellable: boolean;
  readonly openAtMost: number;
  readonly keepMs: number;
  begin(this: void, input: Input): State;
}

interface RunDefinition<I extends z.ZodType, S extends z.ZodType> {
  /** snake_case. */
  readonly kind: string;
  /**
   * Of input, state and steps together. Runs that are open keep the version they were requested with: a service declares the
   * old version as well until they have ended.
   */
  readonly version?: number;
  /** JSON-like, at most 64 KiB. It is kept in the log for ever: ids, no texts. */
  readonly input: I;
  /** What one step hands to the next: JSON-like, at most 64 KiB. It is in the log, too. */
  readonly state: S;
  /** The state of the first step. Pure. */
  readonly begin: (input: z.output<I>) => z.output<S>;
  /** Whether it may be cancelled; `false` where stopping half-way would leave something broken. Default: true. */
  readonly cancellable?: boolean;
  /** Open runs of this kind that one organization may have. Default: 100. */
  readonly openAtMost?: number;
  /** For how long (ms) an ended run can be looked at. Default: 7 days. */
  readonly keepMs?: number;
}

const day = 86_400_000;
/** For how long (ms) an ended run of a kind that is not declared any more can be looked at. */
export const defaultKeepMs = 7 * day;

/** Declares a kind of run: what it is about and what it remembers. `runHandler` says what it does. */
export function defineRun<I extends z.ZodType, S extends z.ZodType>({
  kind,
  version = 1,
  input,
  state,
  begin,
  cancellable = true,
  openAtMost = 100,
  keepMs = defaultKeepMs,
}: RunDefinition<I, S>): RunKind<z.output<I>, z.output<S>> {
  if (!/^[a-z][a-z0-9_]*$/.test(kind)) throw new RangeError(`kind of run "${kind}" is not snake_case`);
  const schemas = { input: input as z.ZodType<z.output<I>>, state: state as z.ZodType<z.output<S>> };
  return { kind, version, name: nameOfRun(kind, version), ...schemas, begin, cancellable, openAtMost, keepMs };
}

export function nameOfRun(kind: string, version: number): string {
  return `${kind}_v${version}`;
}

/** A failure as people and clients are told of it; what is unexpected says nothing of the inside. */
export function failureOf(error: unknown): RunFailure {
  if (error instanceof AppError && error.reason !== 'unexpected')
    return { reason: error.reason, message: error.message };
  return { reason: 'unexpected', message: 'Unexpected error' };
}

const largest = 64 * 1024;

/** JSON of at most 64 KiB. Throws `too_large`. */
export function jsonWithinBounds(what: string, value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  if (Buffer.byteLength(text) > largest)
    throw new AppError('too_large', [], { message: `${what} of a run is larger than ${largest} bytes` });
  return text;
}
