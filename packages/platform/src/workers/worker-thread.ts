import { AppError } from '@scriptorium/contracts';
import { Worker } from 'node:worker_threads';
import type { ThreadMessage } from './messages.js';
import { compiledModule, errorOf, type WorkerTask } from './worker-task.js';

/** How a task ended. */
export type TaskOutcome = 'done' | 'refused' | 'deadline' | 'memory' | 'failed';

/** A task in a thread. */
export interface ThreadJob {
  readonly task: WorkerTask<never, unknown>;
  readonly input: unknown;
  done(output: unknown): void;
  failed(outcome: Exclude<TaskOutcome, 'done'>, error: AppError): void;
}

/** One thread. It runs one task at a time and keeps its loaded modules. */
export interface WorkerThread {
  isIdle(): boolean;
  hasLoaded(module: URL): boolean;
  run(job: ThreadJob): void;
  /** Ends the thread, also while a task runs, which then fails with `error`. */
  end(error: AppError): Promise<void>;
}

export interface ThreadParts {
  readonly heapMb: number;
  /** How long (ms) loading a module may take. */
  readonly loadWithinMs: number;
  /** Called when a task has ended. The thread is free, or has ended. */
  changed(): void;
  gone(): void;
}

interface State {
  readonly parts: ThreadParts;
  readonly worker: Worker;
  readonly loaded: Set<string>;
  id: number;
  job: ThreadJob | undefined;
  timer: NodeJS.Timeout | undefined;
  isGone: boolean;
}

const script = compiledModule('./thread.js', import.meta.url);
const [youngMb, stackMb] = [32, 4];

export function startThread(parts: ThreadParts): WorkerThread {
  const worker = new Worker(script, {
    name: 'worker-pool',
    // A task gets neither the flags nor the secrets of the process.
    execArgv: [],
    env: {},
    resourceLimits: {
      maxOldGenerationSizeMb: parts.heapMb,
      maxYoungGenerationSizeMb: youngMb,
      stackSizeMb: stackMb,
    },
  });
  worker.unref();
  const state: State = { parts, worker, loaded: new Set(), id: 0, job: undefined, timer: undefined, isGone: false };
  worker.on('message', (message: ThreadMessage) => hear(state, message));
  worker.on('error', (error: Error & { code?: string }) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return leave(state, 'memory', state.job?.task.tooCostly());
    leave(state, 'failed', errorOf(state.job?.task.name ?? '', error));
  });
  worker.on('exit', () => leave(state, 'failed', undefined));
  return {
    isIdle: () => state.job === undefined && !state.isGone,
    hasLoaded: (module) => state.loaded.has(module.href),
    run: (job) => begin(state, job),
    async end(error) {
      leave(state, 'failed', error);
      await worker.terminate();
    },
  };
}

function begin(state: State, job: ThreadJob): void {
  const { task, input } = job;
  state.id += 1;
  state.job = job;
  try {
    state.worker.postMessage({ id: state.id, module: task.module.href, run: task.run, input });
  } catch (error) {
    const message = `the input of the task ${task.name} cannot be copied`;
    return finish(state, () => job.failed('failed', new AppError('unexpected', [], { message, cause: error })));
  }
  // Slow loading is not the fault of the task, and ending the thread would only start the loading again.
  limit(state, state.parts.loadWithinMs, 'failed', new AppError('unavailable', [], { retryAfter: 2 }));
}

function hear(state: State, message: ThreadMessage): void {
  const { job } = state;
  if (job === undefined || message.id !== state.id) return;
  const { task } = job;
  if (message.kind === 'begun') {
    state.loaded.add(task.module.href);
    limit(state, task.withinMs, 'deadline', task.tooCostly());
  } else if (message.kind === 'done') {
    finish(state, () => job.done(message.output));
  } else {
    const error = errorOf(task.name, message.failure);
    finish(state, () => job.failed(error.reason === 'unexpected' ? 'failed' : 'refused', error));
  }
}

/**
 * Ends the thread when the job has not ended in time. Messages that arrived while this process was busy are handled
 * first.
 */
function limit(state: State, ms: number, outcome: 'deadline' | 'failed', error: AppError): void {
  clearTimeout(state.timer);
  const { id } = state;
  state.timer = setTimeout(() => {
    setImmediate(() => {
      if (state.id !== id || state.job === undefined) return;
      leave(state, outcome, error);
      void state.worker.terminate();
    });
  }, ms).unref();
}

function finish(state: State, report: () => void): void {
  clearTimeout(state.timer);
  state.job = undefined;
  report();
  state.parts.changed();
}

/** The thread has ended, or is about to end. */
function leave(state: State, outcome: Exclude<TaskOutcome, 'done'>, error: AppError | undefined): void {
  if (state.isGone) return;
  state.isGone = true;
  const { job } = state;
  state.parts.gone();
  const failure =
    error ?? new AppError('unexpected', [], { message: `the thread of ${job?.task.name ?? 'no task'} ended` });
  finish(state, () => job?.failed(outcome, failure));
}
