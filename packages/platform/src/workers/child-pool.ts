import { AppError } from '@scriptorium/contracts';
import { startChild, type RunningChild } from './child-process.js';
import type { ChildResult, ChildTask } from './child-task.js';

/** Runs tasks as processes: a few at a time, the others wait in the order in which they came. */
export interface ChildPool {
  /**
   * Runs a task. The process is killed when it has not ended within `withinMs`, and when `signal` aborts.
   * @throws AppError `unavailable` when too many wait, when it has not begun by `deadline` (epoch ms), or when the pool
   * is stopped
   */
  run(task: ChildTask, input: readonly Uint8Array[], limits: ChildLimits): Promise<ChildResult>;
  /** The processes that run. */
  pids(): number[];
  /** Kills all processes. Those who wait fail with `unavailable`. */
  stop(): Promise<void>;
}

export interface ChildLimits {
  readonly withinMs: number;
  readonly deadline: number;
}

export interface ChildMetrics {
  state(processes: { queued: number; running: number }): void;
  ended(task: string, outcome: ChildResult['outcome'] | 'rejected' | 'late'): void;
}

export interface ChildPoolOptions {
  readonly atOnce?: number;
  readonly queueAtMost?: number;
  readonly metrics?: ChildMetrics;
}

interface Waiting {
  begin(): void;
  refuse(error: AppError): void;
}

export function createChildPool(options: ChildPoolOptions = {}): ChildPool {
  const { metrics } = options;
  const running = new Set<RunningChild>();
  const places = createPlaces(options);
  return {
    async run(task, input, { withinMs, deadline }) {
      await places.take(task, deadline);
      try {
        const child = startChild(task, input, withinMs);
        running.add(child);
        const result = await child.result.finally(() => running.delete(child));
        metrics?.ended(task.name, result.outcome);
        return result;
      } finally {
        places.leave();
      }
    },
    pids: () => [...running].flatMap(({ pid }) => pid ?? []),
    async stop() {
      places.close();
      for (const child of running) child.stop();
      await Promise.all([...running].map(({ result }) => result));
    },
  };
}

/** The places of a pool, and who waits for one, in order of arrival. */
function createPlaces({ atOnce = 2, queueAtMost = 20, metrics }: ChildPoolOptions) {
  const waiting = new Set<Waiting>();
  let taken = 0;
  let isClosed = false;
  const report = (): void => metrics?.state({ queued: waiting.size, running: taken });
  return {
    async take(task: ChildTask, deadline: number): Promise<void> {
      if (isClosed) throw stopped();
      if (taken < atOnce) taken += 1;
      else if (waiting.size < queueAtMost) await turn(waiting, deadline, () => metrics?.ended(task.name, 'late'));
      else {
        metrics?.ended(task.name, 'rejected');
        throw new AppError('unavailable', [], { message: 'Too much waits to be worked on', retryAfter: 5 });
      }
      report();
    },
    /** The place goes to the one who has waited longest, so that nobody takes it in between. */
    leave(): void {
      const [next] = waiting;
      if (next === undefined) taken -= 1;
      else next.begin();
      report();
    },
    close(): void {
      isClosed = true;
      for (const one of waiting) one.refuse(stopped());
    },
  };
}

function stopped(): AppError {
  return new AppError('unavailable', [], { retryAfter: 1 });
}

/** Waits for a place until the deadline. */
function turn(waiting: Set<Waiting>, deadline: number, late: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      waiting.delete(own);
    };
    const own: Waiting = {
      begin: () => {
        leave();
        resolve();
      },
      refuse: (error) => {
        leave();
        reject(error);
      },
    };
    const timer = setTimeout(
      () => {
        late();
        own.refuse(new AppError('unavailable', [], { message: 'This was not done in time, try again', retryAfter: 5 }));
      },
      Math.max(0, deadline - Date.now()),
    ).unref();
    waiting.add(own);
  });
}
