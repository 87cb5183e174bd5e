import { AppError } from '@scriptorium/contracts';

/** Limits the bytes of request bodies that are in memory at a time. */
export interface BodyBudget {
  /** Reserves `bytes`; the returned function releases them. @throws `unavailable` when too many are reserved already */
  take(bytes: number): () => void;
  held(): number;
}

/** A budget of `total` bytes; a body larger than the whole budget is accepted when nothing else is reserved. */
export function createBodyBudget(total: number): BodyBudget {
  let held = 0;
  return {
    held: () => held,
    take(bytes) {
      if (held > 0 && held + bytes > total) {
        throw new AppError('unavailable', [], {
          message: 'Too many large requests at the moment, try again',
          retryAfter: 1,
        });
      }
      held += bytes;
      let released = false;
      return () => {
        if (!released) held -= bytes;
        released = true;
      };
    },
  };
}
