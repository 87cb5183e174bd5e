import { AppError } from '@scriptorium/contracts';

/** One after the other per key, in the order of arrival; different keys do not wait for each other. */
export interface KeyedQueue {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

interface Line {
  last: Promise<unknown>;
  waiting: number;
}

/** More than `bound` waiting on one key are refused with `AppError('unavailable')`. */
export function createKeyedQueue(bound: number): KeyedQueue {
  const lines = new Map<string, Line>();
  return {
    run(key, work) {
      const line = lines.get(key) ?? { last: Promise.resolve(), waiting: 0 };
      if (line.waiting >= bound)
        return Promise.reject(
          new AppError('unavailable', [], { message: 'too many commands wait for the same object', retryAfter: 1 }),
        );
      line.waiting += 1;
      lines.set(key, line);
      const result = line.last.then(work);
      line.last = result
        .catch(() => undefined)
        .finally(() => {
          line.waiting -= 1;
          if (line.waiting === 0) lines.delete(key);
        });
      return result;
    },
  };
}
