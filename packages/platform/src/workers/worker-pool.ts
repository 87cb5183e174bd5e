import { AppError } from '@scriptorium/contracts';
import { availableParallelism } from 'node:os';
import type { WorkerTask } from './worker-task.js';
import { startThread, type TaskOutcome, type ThreadJob, type WorkerThread } from './worker-thread.js';

/**
 * Threads for work that needs much CPU time, such as parsing and merging. A task that takes too long or too much memory
 * ends together with its thread, and with nothing else. All services of a process share one pool.
 */
export interface WorkerPool {
  /**
   * Runs a task and returns the result of its function. An `AppError` that the function throws is thrown here; any
   * other error becomes `unexpected`. `deadline` (epoch ms): until when the caller waits; by default 10 s.
   * @throws AppError `unavailable` when too many tasks wait or the deadline passes; the error that the task declares
   * when it takes too long or too much memory
   */
  run<I, O>(task: WorkerTask<I, O>, input: I, options?: { deadline?: number | undefined }): Promise<O>;
  /** Ends all threads. Running and waiting tasks fail with `unavailable`. */
  stop(): Promise<void>;
}

export interface WorkerMetrics {
  state(tasks: { queued: number; running: number }, threads: number): void;
  ended(task: string, outcome: TaskOutcome | 'rejected' | 'late'): void;
}

export interface WorkerPoolOptions {
  /** The number of threads. By default the number of processors, at least 2. */
  readonly threads?: number | undefined;
  /** The heap of one thread. By default 256 MiB. */
  readonly heapMb?: number | undefined;
  /** The most waiting tasks of one name. */
  readonly queueAtMost?: number;
  /** How long (ms) an idle thread is kept. */
  readonly idleMs?: number;
  readonly loadWithinMs?: number;
  readonly metrics?: WorkerMetrics;
}

const defaults = { heapMb: 256, queueAtMost: 50, idleMs: 60_000, loadWithinMs: 60_000 };
const waitMs = 10_000;

interface Job extends ThreadJob {
  isRunning: boolean;
}

interface PoolState {
  readonly threads: Map<WorkerThread, { idle: NodeJS.Timeout | undefined }>;
  readonly most: number;
  readonly options: typeof defaults;
  readonly metrics: WorkerMetrics | undefined;
  /** In order of arrival. */
  queue: Job[];
  running: Set<Job>;
  isStopped: boolean;
}

/** Creates a pool. Threads are started when there is work. */
export function createWorkerPool({ threads, metrics, ...given }: WorkerPoolOptions = {}): WorkerPool {
  const state: PoolState = {
    threads: new Map(),
    most: threads ?? Math.max(2, availableParallelism()),
    options: { ...defaults, ...defined(given) },
    metrics,
    queue: [],
    running: new Set(),
    isStopped: false,
  };
  return {
    run: (task, input, { deadline } = {}) => run(state, task, input, deadline ?? Date.now() + waitMs),
    async stop() {
      state.isStopped = true;
      const stopped = new AppError('unavailable', [], { retryAfter: 1 });
      for (const job of state.queue.splice(0)) job.failed('failed', stopped);
      await Promise.all([...state.threads.keys()].map((thread) => thread.end(stopped)));
    },
  };
}

function defined<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function run<I, O>(state: PoolState, task: WorkerTask<I, O>, input: I, deadline: number): Promise<O> {
  const waiting = state.queue.filter((job) => job.task.name === task.name).length;
  if (state.isStopped || waiting >= state.options.queueAtMost) {
    state.metrics?.ended(task.name, 'rejected');
    return Promise.reject(
      new AppError('unavailable', [], { message: 'Too much waits to be worked on', retryAfter: 2 }),
    );
  }
  return new Promise<O>((resolve, reject) => {
    const job: Job = {
      task,
      input,
      isRunning: false,
      done: (output) => {
        settle('done');
        resolve(output as O);
      },
      failed: (outcome, error) => {
        settle(outcome);
        reject(error);
      },
    };
    const settle = (outcome: TaskOutcome): void => {
      clearTimeout(late);
      state.running.delete(job);
      state.metrics?.ended(task.name, outcome);
    };
    const late = setTimeout(() => reject(giveUp(state, job)), Math.max(0, deadline - Date.now())).unref();
    state.queue.push(job);
    dispatch(state);
  });
}

/** Drops a waiting task. A running one ends by itself or at its own limit, and keeps its thread until then. */
function giveUp(state: PoolState, job: Job): AppError {
  if (!job.isRunning) {
    state.queue = state.queue.filter((other) => other !== job);
    state.metrics?.ended(job.task.name, 'late');
    report(state);
  }
  return new AppError('unavailable', [], { message: 'This was not done in time, try again', retryAfter: 2 });
}

/** Starts the tasks for which there are threads. Tasks of one kind never take all threads, so that others can run. */
function dispatch(state: PoolState): void {
  const { queue, running, most } = state;
  const share = Math.max(1, most - 1);
  for (const job of [...queue]) {
    const same = [...running].filter((other) => other.task.name === job.task.name).length;
    if (same >= share) continue;
    const thread = threadFor(state, job);
    if (thread === undefined) break;
    state.queue = state.queue.filter((other) => other !== job);
    clearTimeout(state.threads.get(thread)?.idle);
    job.isRunning = true;
    running.add(job);
    thread.run(job);
  }
  report(state);
}

/** A thread that has loaded the module, an idle one, or a new one. */
function threadFor(state: PoolState, { task }: Job): WorkerThread | undefined {
  const idle = [...state.threads.keys()].filter((thread) => thread.isIdle());
  const known = idle.find((thread) => thread.hasLoaded(task.module)) ?? idle[0];
  if (known !== undefined || state.threads.size >= state.most || state.isStopped) return known;
  const thread: WorkerThread = startThread({
    heapMb: state.options.heapMb,
    loadWithinMs: state.options.loadWithinMs,
    changed() {
      rest(state, thread);
      dispatch(state);
    },
    gone: () => void state.threads.delete(thread),
  });
  state.threads.set(thread, { idle: undefined });
  return thread;
}

/** Ends a thread that has been idle for a while, together with its loaded modules. */
function rest({ threads, options }: PoolState, thread: WorkerThread): void {
  const place = threads.get(thread);
  if (place === undefined) return;
  clearTimeout(place.idle);
  place.idle = setTimeout(() => {
    if (thread.isIdle()) void thread.end(new AppError('unavailable'));
  }, options.idleMs).unref();
}

function report({ metrics, queue, running, threads }: PoolState): void {
  metrics?.state({ queued: queue.length, running: running.size }, threads.size);
}
