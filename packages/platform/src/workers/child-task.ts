/**
 * A module that runs as a process of its own: for native code, which no thread can be stopped in. It reads its input
 * from stdin to the end, writes its output to stdout, and exits with 0.
 */
export interface ChildTask {
  /** The name in snake_case, which is also the label of its metrics. */
  readonly name: string;
  /** The URL of the compiled module; see `compiledModule`. */
  readonly module: URL;
  /** The heap of JavaScript, MiB. */
  readonly heapMb: number;
  /** What the process may allocate in all, MiB, where the system can limit it. */
  readonly memoryMb: number;
  /** The largest output, bytes. */
  readonly outputAtMost: number;
  /** The whole environment of the process. By default it has none. */
  readonly env: Readonly<Record<string, string>>;
}

/** Declares a task that runs in a process of its own. */
export function childTask({ env = {}, ...task }: Omit<ChildTask, 'env'> & Partial<Pick<ChildTask, 'env'>>): ChildTask {
  return { ...task, env };
}

/**
 * How a process ended. `deadline`: it took too long; `memory`: it allocated too much, or somebody killed it;
 * `too_large`: its output was; `failed`: it ended with another code, of which `says` is the end of what it wrote.
 */
export type ChildResult =
  | { readonly outcome: 'done'; readonly output: Buffer }
  | { readonly outcome: 'deadline' | 'memory' | 'too_large' | 'stopped' }
  | { readonly outcome: 'failed'; readonly says: string };
