import { AppError, type ErrorDetail, isReason } from '@scriptorium/contracts';
import type { ThreadFailure } from './messages.js';

/** Work for the pool: a function that a module exports. Input and output are copied, so they are data without functions. */
export interface WorkerTask<Input, Output> {
  /** snake_case; the label of its metrics. */
  readonly name: string;
  readonly module: URL;
  readonly run: string;
  readonly withinMs: number;
  readonly tooCostly: () => AppError;
  /** Never there: it only says what the function takes and gives. */
  readonly types?: (input: Input) => Output;
}

interface WorkerTaskDefinition {
  readonly name: string;
  /** Of the compiled module; see `compiledModule`. */
  readonly module: URL;
  /** Name of the exported function. */
  readonly run: string;
  /** How long (ms) the function may run before its thread is ended. Loading its module does not count. */
  readonly withinMs: number;
  /** What the caller is told of a task that ran out of time or memory. Unless given, `unavailable`, which invites to try again. */
  readonly tooCostly?: () => AppError;
}

/**
 * Declares a task by the type of its function: `workerTask<typeof judge>({ run: 'judge', ... })`. The heap of its thread is
 * bounded; buffers are not part of it, so a task bounds its input, and what it inflates, itself.
 */
export function workerTask<F extends (input: never) => unknown>({
  tooCostly = () => new AppError('unavailable', [], { message: 'This took too long, try again', retryAfter: 2 }),
  ...task
}: WorkerTaskDefinition): WorkerTask<Parameters<F>[0], Awaited<ReturnType<F>>> {
  return { ...task, tooCostly };
}

/**
 * The compiled module behind a path relative to the caller's (`import.meta.url`). Threads load what is in `dist`, also when the
 * caller itself runs from `src`, as under a test runner that compiles on the way.
 */
export function compiledModule(path: string, from: string): URL {
  const url = new URL(path, from);
  url.pathname = url.pathname.replace(/\/(src|dist)\/(?!.*\/(src|dist)\/)/, '/dist/');
  return url;
}

/** What was thrown in a thread: a refusal with its reason, and anything else as `unexpected`. */
export function errorOf(task: string, { name, message, reason, details, retryAfter }: ThreadFailure): AppError {
  if (!isReason(reason))
    return new AppError('unexpected', [], {
      message: `the task ${task} failed`,
      cause: new Error(`${name}: ${message}`),
    });
  const more = typeof retryAfter === 'number' ? { retryAfter } : {};
  return new AppError(reason, Array.isArray(details) ? (details as ErrorDetail[]) : [], { message, ...more });
}
