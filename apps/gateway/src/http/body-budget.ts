import { AppError } from '@scriptorium/contracts';

/** Counts the bytes of request bodies that are held at a time. */
export interface BodyBudget {
  /** Takes `bytes`; throws `unavailable` when too many are held already. Call the returned function once, when they are free. */
  take(bytes: number): () => void;
  held(): number;
}

/** A budget of `total` bytes; a body larger than all of it is still let in when nothing else is held. */
export function createBodyBudget(total: number): BodyBudget {
  let held = 0;
  return {
    held: () => held,
    take(bytes) {
      if (held > 0 && held + bytes > total) {
        throw new AppError('unavailable', [], { message: 'Too many large requests at a time, try again', retryAfter: 1 });
      }
      held += bytes;
      let free = false;
      return () => {
        if (!free) held -= bytes;
        free = true;
      };
    },
  };
}
