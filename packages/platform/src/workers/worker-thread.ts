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

/** One thread, which does one task at a time and keeps the modules that it has loaded. */
export interface WorkerThread {
  isIdle(): boolean;
  hasLoaded(module: URL): boolean;
  run(job: ThreadJob): void;
  /** Ends the thread, whatever it does; its task fails with `error`. */
  end(error: AppError): Promise<void>;
}

export interface ThreadParts {
  readonly heapMb: number;
  /** How long (ms) loading a module may take. */
  readonly loadWithinMs: number;
  /** A task has ended; the thread is free, or gone. */
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
    // Flags and secrets of the process are none of a task's business.
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
  // A module that loads slowly is no fault of the task; to end the thread early would mean to begin again.
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

/** Ends the thread when the job has not ended by then. What has arrived already, while this process was busy, is heard first. */
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

function finish(state: State, tell: () => void): void {
  clearTimeout(state.timer);
  state.job = undefined;
  tell();
  state.parts.changed();
}

/** The thread is no more, or is about to be. */
function leave(state: State, outcome: Exclude<TaskOutcome, 'done'>, error: AppError | undefined): void {
  if (state.isGone) return;
  state.isGone = true;
  const { job } = state;
  state.parts.gone();
  const failure =
    error ?? new AppError('unexpected', [], { message: `the thread of ${job?.task.name ?? 'no task'} ended` });
  finish(state, () => job?.failed(outcome, failure));
}
