import { AppError } from '@scriptorium/contracts';

/** Tasks of the worker pool's specs, run in its threads. */
export function double(n: number): number {
  return n * 2;
}

/** Takes the thread's whole time until somebody else sets the first number. */
export function spinUntilTold(told: SharedArrayBuffer): string {
  const flag = new Int32Array(told);
  Atomics.store(flag, 1, 1);
  while (Atomics.load(flag, 0) === 0);
  return 'told';
}

export function refuse(path: string): never {
  throw new AppError('limit_reached', [{ path, message: 'is too much' }], { message: 'Too much', retryAfter: 7 });
}

export function fail(): never {
  throw new TypeError('inside');
}

export function leave(): never {
  process.exit(3);
}

export function allocate(): number {
  const kept: unknown[] = [];
  for (;;) kept.push(new Array(10_000).fill(kept.length));
}

export function giveFunction(): unknown {
  return () => undefined;
}

/** What a task sees of the process. */
export function surroundings(): { env: number; args: readonly string[] } {
  return { env: Object.keys(process.env).length, args: process.execArgv };
}
