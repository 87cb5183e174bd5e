import { AppError, type ErrorDetail, isReason } from '@scriptorium/contracts';
import type { ThreadFailure } from './messages.js';

/**
 * A function of a module that runs in the pool. Input and output are copied, so they must be data without functions.
 */
export interface WorkerTask<Input, Output> {
  /** The name in snake_case, which is also the label of its metrics. */
  readonly name: string;
  readonly module: URL;
  readonly run: string;
  readonly withinMs: number;
  readonly tooCostly: () => AppError;
  /** Never set. It only carries the types of input and output. */
  readonly types?: (input: Input) => Output;
}

interface WorkerTaskDefinition {
  readonly name: string;
  /** The URL of the compiled module; see `compiledModule`. */
  readonly module: URL;
  /** The name of the exported function. */
  readonly run: string;
  /** How long (ms) the function may run before its thread is ended, without the time to load its module. */
  readonly withinMs: number;
  /** The error for a task that ran out of time or memory. By default `unavailable`, which invites a retry. */
  readonly tooCostly?: () => AppError;
}

/**
 * Declares a task by the type of its function: `workerTask<typeof judge>({ run: 'judge', ... })`. The heap of its
 * thread is limited, but buffers are not part of it, so a task has to limit its input and what it decompresses itself.
 */
export function workerTask<F extends (input: never) => unknown>({
  tooCostly = () => new AppError('unavailable', [], { message: 'This took too long, try again', retryAfter: 2 }),
  ...task
}: WorkerTaskDefinition): WorkerTask<Parameters<F>[0], Awaited<ReturnType<F>>> {
  return { ...task, tooCostly };
}

/**
 * The compiled module for a path relative to the caller's (`import.meta.url`). Threads load modules from `dist`, also
 * when the caller runs from `src`, as under a test runner that compiles sources.
 */
export function compiledModule(path: string, from: string): URL {
  const url = new URL(path, from);
  url.pathname = url.pathname.replace(/\/(src|dist)\/(?!.*\/(src|dist)\/)/, '/dist/');
  return url;
}

/** The error of a thread: a refusal with its reason, anything else as `unexpected`. */
export function errorOf(task: string, { name, message, reason, details, retryAfter }: ThreadFailure): AppError {
  if (!isReason(reason))
    return new AppError('unexpected', [], {
      message: `the task ${task} failed`,
      cause: new Error(`${name}: ${message}`),
    });
  const more = typeof retryAfter === 'number' ? { retryAfter } : {};
  return new AppError(reason, Array.isArray(details) ? (details as ErrorDetail[]) : [], { message, ...more });
}
