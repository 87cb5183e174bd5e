import { within } from '../process/time.js';

interface Waiting<D> {
  resolve(doc: D | null): void;
  reject(error: unknown): void;
}

const inFlight = 2;
const perCommand = 1_000;
/** Until a command counts as lost, ms: others must not wait for the place it takes. */
const patience = 5_000;

/**
 * Loads documents by id: those asked for in one turn of the event loop by one command, two commands at a time. `fetch`
 * gets no id twice; an id it does not find is `null`. A command that takes longer than `ms` is `unavailable` to those
 * who asked.
 */
export function createBatchLoader<D extends { _id: string }>(
  fetch: (ids: readonly string[]) => Promise<D[]>,
  ms = patience,
): (id: string) => Promise<D | null> {
  const waiting = new Map<string, Waiting<D>[]>();
  let running = 0;
  let scheduled = false;

  const schedule = (): void => {
    if (scheduled || running >= inFlight || waiting.size === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      running += 1;
      void load((ids) => within(ms, 'Reading documents', fetch(ids)), take(waiting)).finally(() => {
        running -= 1;
        schedule();
      });
    });
  };

  return (id) =>
    new Promise((resolve, reject) => {
      const one = { resolve, reject };
      const all = waiting.get(id);
      if (all === undefined) waiting.set(id, [one]);
      else all.push(one);
      schedule();
    });
}

function take<D>(waiting: Map<string, Waiting<D>[]>): Map<string, Waiting<D>[]> {
  const taken = new Map([...waiting].slice(0, perCommand));
  for (const id of taken.keys()) waiting.delete(id);
  return taken;
}

async function load<D extends { _id: string }>(
  fetch: (ids: readonly string[]) => Promise<D[]>,
  asked: ReadonlyMap<string, readonly Waiting<D>[]>,
): Promise<void> {
  try {
    const found = new Map((await fetch([...asked.keys()])).map((doc) => [doc._id, doc]));
    for (const [id, all] of asked) for (const one of all) one.resolve(found.get(id) ?? null);
  } catch (error) {
    for (const all of asked.values()) for (const one of all) one.reject(error);
  }
}
