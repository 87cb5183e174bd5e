import { ServerError } from './bson/errors.js';

const SLICE_MS = 15;

/**
 * Takes everything out of a sequence, giving way to other clients every few milliseconds (at its `undefined`s).
 * Throws MaxTimeMSExpired (50) when `maxTimeMS` is over.
 */
export async function drain<D>(
  list: Iterable<D | undefined>,
  maxTimeMS: number | undefined,
  each: (d: D) => void,
): Promise<void> {
  const clock = new Slices(maxTimeMS);
  for (const item of list) {
    if (item !== undefined) each(item);
    else if (clock.isOver()) await clock.pause();
  }
}

/** Cuts long work into slices of some milliseconds. */
export class Slices {
  readonly #deadline: number;
  #end: number;

  constructor(maxTimeMS: number | undefined) {
    const now = performance.now();
    this.#deadline = maxTimeMS === undefined || maxTimeMS <= 0 ? Infinity : now + maxTimeMS;
    this.#end = now + SLICE_MS;
  }

  isOver(): boolean {
    const now = performance.now();
    if (now > this.#deadline) throw new ServerError(50, 'operation exceeded time limit');
    return now >= this.#end;
  }

  async pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#end = performance.now() + SLICE_MS;
  }
}
