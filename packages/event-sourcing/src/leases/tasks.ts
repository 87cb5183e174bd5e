import { type HeldLease } from './consumers.js';
import { type LeaseManager } from './lease-manager.js';
import { untilBeat } from '../process/time.js';

/** Work that one replica does at a time, under a lease. */
export interface Task {
  /** The name of the lease. */
  readonly name: string;
  /** Starts the work. It must call `holds` before each effect, and stop immediately when that returns false. */
  run(lease: HeldLease, holds: () => boolean): RunningTask;
}

export interface RunningTask {
  /** Why the work does not continue, if it does not. */
  trouble(): string | undefined;
  stop(): Promise<void>;
}

export interface Tasks {
  changed(heldLeases: readonly HeldLease[], leases: Pick<LeaseManager, 'holds'>): void;
  trouble(): ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

/** Runs those tasks whose leases are held. */
export function createTasks(tasks: readonly Task[]): Tasks {
  const running = new Map<string, { epoch: number; task: RunningTask }>();
  const stopping = new Set<Promise<void>>();
  let closed = false;
  const end = (name: string, task: RunningTask): void => {
    running.delete(name);
    const done = task.stop().finally(() => stopping.delete(done));
    stopping.add(done);
  };
  return {
    changed(heldLeases, leases) {
      if (closed) return;
      const held = new Map(heldLeases.map((lease) => [lease.name, lease]));
      for (const [name, { epoch, task }] of running) if (held.get(name)?.epoch !== epoch) end(name, task);
      for (const task of tasks) {
        const lease = held.get(task.name);
        if (lease !== undefined && !running.has(task.name))
          running.set(task.name, { epoch: lease.epoch, task: task.run(lease, () => leases.holds(lease)) });
      }
    },
    trouble: () =>
      new Map(
        [...running].flatMap(([name, { task }]) => {
          const trouble = task.trouble();
          return trouble === undefined ? [] : [[name, trouble] as const];
        }),
      ),
    async stop() {
      closed = true;
      for (const [name, { task }] of [...running]) end(name, task);
      await Promise.all(stopping);
    },
  };
}

/**
 * A task that repeats the same work at the beats of `everyMs` (`untilBeat`) or when poked. Work that resolves to a
 * number is repeated after so many ms, if that is sooner. A failure is logged, and the work is tried again after at
 * most `retryMs`.
 */
export function repeating(
  everyMs: number,
  step: (holds: () => boolean) => Promise<number | void>,
  retryMs = everyMs,
): Pick<Task, 'run'> & { poke(): void } {
  const sleeper = createSleeper();
  return {
    poke: () => sleeper.poke(),
    run(_grip, holds) {
      let stopped = false;
      let trouble: string | undefined;
      const loop = async (): Promise<void> => {
        while (!stopped) {
          let wait = Math.min(everyMs, retryMs);
          sleeper.begin();
          try {
            if (holds()) wait = Math.min((await step(() => holds() && !stopped)) ?? Infinity, untilBeat(everyMs));
            trouble = undefined;
          } catch (error) {
            trouble = error instanceof Error ? error.message : String(error);
          }
          if (!stopped) await sleeper.rest(wait);
        }
      };
      const finished = loop();
      return {
        trouble: () => trouble,
        async stop() {
          stopped = true;
          sleeper.poke();
          await finished;
        },
      };
    },
  };
}

/** Rests between rounds of work. A poke ends the rest, or lets the next one be none if it comes during the work. */
function createSleeper(): { begin(): void; rest(ms: number): Promise<void>; poke(): void } {
  let isPoked = false;
  let wake = (): void => undefined;
  return {
    begin: () => void (isPoked = false),
    rest: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, isPoked ? 0 : Math.max(0, ms));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    poke() {
      isPoked = true;
      wake();
    },
  };
}
