import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outbound } from '@scriptorium/platform';
import type { OutgoingRequest } from '../egress/egress.js';
import type { ApiAddress } from '../egress/to-api.js';
import { Refusal } from '../refusal.js';
import type { Trace } from '../traces/trace.js';
import type { ActiveCall } from './active-call.js';
import { type Cause, end, type Ending, type Instance, startInstance } from './instance.js';
import { type ReadMemory, readMemory } from './memory.js';
import { createQueue, type Queue } from './queue.js';
import { createRests, type RestLimits, type Rests } from './rests.js';
import { look, type WatchLimits } from './watch.js';

export interface PoolLimits extends WatchLimits, RestLimits {
  processes: number;
  heapMb: number;
  /** Calls in one process. */
  calls: number;
}

export interface PoolOptions {
  binary: string;
  limits: PoolLimits;
  api: ApiAddress;
  createOutbound: () => Outbound;
  onTrace: (trace: Trace) => void;
  onRequest: (request: OutgoingRequest) => void;
  onEnd: (end: { integration: string; cause: Cause; rests: boolean }) => void;
  read?: ReadMemory;
  /** Where its folder is made. */
  temp?: string | undefined;
}

/** The process that a call wants. */
export interface Wanted {
  /** Calls with the same key share a process. */
  key: string;
  integration: string;
  /** The file of the script. */
  script: string;
  /** Whether no other call may be in the process. */
  isAlone: boolean;
}

export interface Pool {
  /**
   * The process for a call, which is in it from now on. It may not listen yet.
   * @throws Refusal `integration_resting`, and `runtime_busy` when there is no room until the signal is aborted
   */
  acquire(wanted: Wanted, call: ActiveCall, signal: AbortSignal): Promise<Instance>;
  /** How many processes there are. */
  size(): number;
  stop(): Promise<void>;
}

const scriptsFault: ReadonlySet<Cause> = new Set(['blocked', 'memory', 'died']);
const megabyte = 1024 * 1024;

interface State {
  readonly options: PoolOptions;
  readonly folder: string;
  /** The process for a key. One that gets no further calls may still be in `all`. */
  readonly current: Map<string, Instance>;
  readonly all: Set<Instance>;
  readonly queue: Queue;
  readonly rests: Rests;
  /** Resident bytes of all, when they were looked at last. */
  bytes: number;
  started: number;
}

/** Keeps one process for each key, and ends those that harm others. */
export async function createPool(options: PoolOptions): Promise<Pool> {
  const { limits, read = readMemory, temp = tmpdir() } = options;
  const folder = await mkdtemp(join(temp, 'scr-'));
  const own = { current: new Map<string, Instance>(), all: new Set<Instance>(), queue: createQueue() };
  const state: State = { options, folder, ...own, rests: createRests(limits), bytes: 0, started: 0 };
  let looking: Promise<void> | undefined;
  const tick = async (): Promise<void> => {
    state.bytes = await look([...state.all], limits, { readMemory: read, now: Date.now });
    state.queue.wakeAll();
  };
  const timer = setInterval(() => {
    if (state.all.size > 0) looking ??= tick().finally(() => (looking = undefined));
  }, limits.everyMs);
  return {
    async acquire(wanted, call, signal) {
      for (;;) {
        const instance = find(state, wanted);
        if (instance !== undefined) {
          instance.book.join(call);
          return instance;
        }
        await state.queue.turn(signal);
      }
    },
    size: () => state.all.size,
    async stop() {
      clearInterval(timer);
      for (const instance of state.all) end(instance, 'stopped');
      await Promise.all([...state.all].map(({ ended }) => ended));
      await looking;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The process for a call; undefined where it has to wait. */
function find(state: State, wanted: Wanted): Instance | undefined {
  const left = state.rests.left(wanted.integration);
  if (left > 0)
    throw new Refusal('integration_resting', 'The scripts of this integration were ended too often', {
      retryAfter: Math.ceil(left / 1000),
    });
  const known = state.current.get(wanted.key);
  if (known === undefined || known.isRetired) return hasRoom(state) ? begin(state, wanted) : undefined;
  const most = wanted.isAlone ? 1 : state.options.limits.calls;
  return known.book.calls.size < most ? known : undefined;
}

/** Whether another process may be started now. If not, one that is idle is ended. */
function hasRoom({ all, bytes, options: { limits } }: State): boolean {
  if (all.size < limits.processes && bytes < limits.totalMb * megabyte) return true;
  // One that is ending already makes room, too.
  if ([...all].some(({ cause }) => cause !== undefined)) return false;
  const idle = [...all].filter(({ book }) => book.calls.size === 0);
  const [oldest] = idle.sort((a, b) => a.book.lastUsed - b.book.lastUsed);
  if (oldest !== undefined) end(oldest, 'idle');
  return false;
}

function begin(state: State, { key, integration, script }: Wanted): Instance {
  state.started += 1;
  const { heapMb, memoryMb } = state.options.limits;
  const folder = join(state.folder, String(state.started));
  const instance = startInstance({ ...state.options, integration, script, heapMb, memoryMb, folder });
  state.all.add(instance);
  state.current.set(key, instance);
  void instance.ended.then((ending) => remove(state, { key, instance, ending }));
  return instance;
}

function remove(
  state: State,
  { key, instance, ending: { cause } }: { key: string; instance: Instance; ending: Ending },
): void {
  state.all.delete(instance);
  if (state.current.get(key) === instance) state.current.delete(key);
  if (state.all.size === 0) state.bytes = 0;
  const { integration } = instance;
  state.options.onEnd({ integration, cause, rests: scriptsFault.has(cause) && state.rests.note(integration) });
  state.queue.wakeAll();
}
