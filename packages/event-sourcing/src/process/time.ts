import { AppError } from '@scriptorium/contracts';

/**
 * The two clocks the package reads. `now` is what people see (epoch ms); `monotonic` measures spans (ms) and never
 * jumps.
 */
export interface Clock {
  now(): number;
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** Resolves after `ms`, at once when `signal` aborts or it is woken. `wakeable`: gets what wakes it. Never rejects. */
export function pause(ms: number, signal?: AbortSignal, wakeable?: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
    wakeable?.(done);
  });
}

/**
 * How long it is until what happens every `everyMs` happens next: at the same moments in all of a process, so that what
 * several services do then wakes the process once, and the database can write it at once. Between half and one and a
 * half times `everyMs`, since timers are not exact.
 */
export function untilBeat(everyMs: number): number {
  const left = everyMs - (performance.now() % everyMs);
  return left < everyMs / 2 ? left + everyMs : left;
}

/** Does something at each beat of the process, first at the next one. Returns what ends it. */
export function everyBeat(everyMs: number, work: () => void): () => void {
  let timer: NodeJS.Timeout;
  const next = (): void => {
    timer = setTimeout(() => {
      next();
      work();
    }, untilBeat(everyMs));
  };
  next();
  return () => clearTimeout(timer);
}

/**
 * The outcome of `work`, or `AppError('unavailable')` when it takes longer than `ms`.
 * The work itself goes on; its later outcome is ignored.
 */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('unavailable', [], { message: `${what} took longer than ${Math.round(ms)} ms` })),
      Math.max(0, ms),
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Doubling back-off with jitter in [50 %, 100 %], `attempt` counted from 0, at most `cap` ms. */
export function backOff(attempt: number, base = 100, cap = 2000): number {
  const full = Math.min(cap, base * 2 ** Math.min(attempt, 20));
  return full / 2 + (Math.random() * full) / 2;
}
