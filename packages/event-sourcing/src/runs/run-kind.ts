import { AppError } from '@scriptorium/contracts';
import { type z } from 'zod';
import { type RunFailure, type RunKind } from '../commands/run-request.js';

interface RunDefinition<I extends z.ZodType, S extends z.ZodType> {
  /** In snake_case. */
  readonly kind: string;
  /**
   * The version of input, state and steps together. Open runs keep the version with which they were requested, so a
   * service declares the old version too until they have ended.
   */
  readonly version?: number;
  /** JSON-like, at most 64 KiB. It stays in the log forever, so it contains ids and no texts. */
  readonly input: I;
  /** What a step passes to the next one: JSON-like, at most 64 KiB. It is in the log too. */
  readonly state: S;
  /** The state of the first step. Pure. */
  readonly begin: (input: z.output<I>) => z.output<S>;
  /** Whether such a run can be cancelled. `false` if stopping half-way would leave something broken. Default: true. */
  readonly cancellable?: boolean;
  /** The most open runs of this kind in one organization. Default: 100. */
  readonly openAtMost?: number;
  /** How long (ms) an ended run is kept. Default: 7 days. */
  readonly keepMs?: number;
  /**
   * How long (ms) one attempt at a step may take. Default: 10 s. Another replica takes a run over from a dead one
   * sooner.
   */
  readonly stepWithinMs?: number;
  /**
   * Whether such runs leave one place of a replica to other kinds, if it has more than one: for steps that wait for
   * minutes. Default: false.
   */
  readonly leavesRoom?: boolean;
}

const day = 86_400_000;
/** How long (ms) an ended run of a kind that is no longer declared is kept. */
export const defaultKeepMs = 7 * day;
const defaultStepWithinMs = 10_000;

/** Declares a kind of run: its input and its state. `runHandler` declares its steps. */
export function defineRun<I extends z.ZodType, S extends z.ZodType>({
  kind,
  version = 1,
  input,
  state,
  begin,
  cancellable = true,
  openAtMost = 100,
  keepMs = defaultKeepMs,
  stepWithinMs = defaultStepWithinMs,
  leavesRoom = false,
}: RunDefinition<I, S>): RunKind<z.output<I>, z.output<S>> {
  if (!/^[a-z][a-z0-9_]*$/.test(kind)) throw new RangeError(`kind of run "${kind}" is not snake_case`);
  const schemas = { input: input as z.ZodType<z.output<I>>, state: state as z.ZodType<z.output<S>> };
  return {
    kind,
    version,
    name: nameOfRun(kind, version),
    ...schemas,
    begin,
    cancellable,
    openAtMost,
    keepMs,
    stepWithinMs,
    leavesRoom,
  };
}

export function nameOfRun(kind: string, version: number): string {
  return `${kind}_v${version}`;
}

/** A failure as people and clients see it. For an unexpected error it contains no details. */
export function failureOf(error: unknown): RunFailure {
  if (error instanceof AppError && error.reason !== 'unexpected')
    return { reason: error.reason, message: error.message };
  return { reason: 'unexpected', message: 'Unexpected error' };
}

const largest = 64 * 1024;

/**
 * JSON of at most 64 KiB.
 * @throws AppError `too_large`
 */
export function jsonWithinBounds(what: string, value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  if (Buffer.byteLength(text) > largest)
    throw new AppError('too_large', [], { message: `${what} of a run is larger than ${largest} bytes` });
  return text;
}
