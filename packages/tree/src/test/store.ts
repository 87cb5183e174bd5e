import { type NewPart, type Part, type Parts } from '../part.js';

/** Parts in memory, which count what is read of them. */
export interface Store extends Parts {
  readonly parts: Map<string, Part>;
  /** Names in the order in which they were asked for, and in how many batches. */
  readonly read: string[];
  batches: number;
  add(parts: Iterable<NewPart>): void;
  /** Forgets what was read, and gives it. */
  reset(): { read: string[]; batches: number };
}

export function createStore(initial: Iterable<NewPart> = []): Store {
  const parts = new Map<string, Part>();
  const store: Store = {
    parts,
    read: [],
    batches: 0,
    add: (added) => {
      for (const { name, part } of added) parts.set(name, part);
    },
    get: async (names) => {
      await Promise.resolve();
      store.batches++;
      store.read.push(...names);
      const found = names.map((name) => [name, parts.get(name)] as const);
      return new Map(found.filter((entry): entry is [string, Part] => entry[1] !== undefined));
    },
    reset: () => {
      const { batches } = store;
      store.batches = 0;
      return { read: store.read.splice(0), batches };
    },
  };
  store.add(initial);
  return store;
}
