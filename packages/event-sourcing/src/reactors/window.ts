/**
 * Work in flight over an ordered log: keys run side by side, one after the other within a key, and `done` tells how far
 * everything has been finished without a gap.
 */
export interface Window {
  /** Waits for room, then begins. Throws the first failure of any work; nothing new begins after one. */
  add(key: string, position: bigint, work: () => Promise<void>): Promise<void>;
  /** Nothing to do up to here. */
  pass(position: bigint): void;
  /** Runs behind what the key has in flight, outside of the order of positions. */
  behind(key: string, work: () => Promise<void>): Promise<void>;
  /** Everything up to here is finished; `-1n` when nothing is. */
  done(): bigint;
  /** Waits for the next change: something has begun, finished or failed. Also resolves when `ended` aborts. */
  change(ended: AbortSignal): Promise<void>;
  /** Waits until nothing is in flight, whatever became of it. */
  idle(): Promise<void>;
}

interface State {
  readonly size: number;
  readonly width: number;
  items: { position: bigint; finished: boolean }[];
  chains: Map<string, Promise<void>>;
  done: bigint;
  active: number;
  failure: { error: unknown } | undefined;
  waiting: (() => void)[];
}

/** At most `size` positions in flight, at most `width` keys at work. */
export function createWindow(size: number, width: number): Window {
  const state: State = {
    size,
    width,
    items: [],
    chains: new Map(),
    done: -1n,
    active: 0,
    failure: undefined,
    waiting: [],
  };
  return {
    add: (key, position, work) => add(state, key, position, work),
    pass(position) {
      // One item for all that is passed over: however long something is in flight, what waits behind it stays few.
      const last = state.items.at(-1);
      if (last?.finished === true) last.position = position;
      else state.items.push({ position, finished: true });
      settle(state);
    },
    behind: (key, work) => enqueue(state, key, work),
    done: () => state.done,
    change: (ended) => nextChange(state, ended),
    async idle() {
      while (state.chains.size > 0) await Promise.all(state.chains.values());
    },
  };
}

async function add(state: State, key: string, position: bigint, work: () => Promise<void>): Promise<void> {
  await until(state, () => state.items.length < state.size);
  const item = { position, finished: false };
  state.items.push(item);
  const finish = (): void => {
    item.finished = true;
    settle(state);
  };
  // A failure is kept by the queue and thrown to whoever adds next; the item stays unfinished.
  enqueue(state, key, work).then(finish, () => undefined);
}

function settle(state: State): void {
  while (state.items[0]?.finished === true) state.done = state.items.shift()?.position ?? state.done;
  changed(state);
}

function changed(state: State): void {
  const wake = state.waiting;
  state.waiting = [];
  for (const resolve of wake) resolve();
}

function nextChange(state: State, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (ended.aborted) return resolve();
    const done = (): void => {
      ended.removeEventListener('abort', done);
      resolve();
    };
    ended.addEventListener('abort', done, { once: true });
    state.waiting.push(done);
  });
}

async function until(state: State, condition: () => boolean): Promise<void> {
  while (!condition() && state.failure === undefined) await new Promise<void>((resolve) => state.waiting.push(resolve));
  if (state.failure !== undefined) throw state.failure.error;
}

function enqueue(state: State, key: string, work: () => Promise<void>): Promise<void> {
  const chain = (state.chains.get(key) ?? Promise.resolve()).then(() => inTurn(state, work));
  const kept = chain
    .catch((error: unknown) => void (state.failure ??= { error }))
    .then(() => {
      if (state.chains.get(key) === kept) state.chains.delete(key);
      changed(state);
    });
  state.chains.set(key, kept);
  return chain;
}

async function inTurn(state: State, work: () => Promise<void>): Promise<void> {
  await until(state, () => state.active < state.width);
  state.active += 1;
  try {
    await work();
  } finally {
    state.active -= 1;
    changed(state);
  }
}
