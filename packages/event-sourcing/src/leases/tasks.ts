import { type HeldLease } from './consumers.js';
import { type LeaseManager } from './lease-manager.js';

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
 * A task that repeats the same work, every `everyMs` or when poked. A failure is logged, and the work is tried again.
 */
export function repeating(
  everyMs: number,
  step: (holds: () => boolean) => Promise<void>,
): Pick<Task, 'run'> & { poke(): void } {
  let poke = (): void => undefined;
  return {
    poke: () => poke(),
    run(_grip, holds) {
      let stopped = false;
      let trouble: string | undefined;
      const loop = async (): Promise<void> => {
        while (!stopped) {
          try {
            if (holds()) await step(() => holds() && !stopped);
            trouble = undefined;
          } catch (error) {
            trouble = error instanceof Error ? error.message : String(error);
          }
          if (stopped) return;
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, everyMs);
            poke = () => {
              clearTimeout(timer);
              resolve();
            };
          });
        }
      };
      const finished = loop();
      return {
        trouble: () => trouble,
        async stop() {
          stopped = true;
          poke();
          await finished;
        },
      };
    },
  };
}
