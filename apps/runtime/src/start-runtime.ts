import { createOutbound, parseNetworks, type OutboundOptions } from '@scriptorium/platform/outbound';
import type { AddressInfo } from 'node:net';
import { createRuntimeServer } from './calls/server.js';
import { createScripts } from './calls/scripts.js';
import { requestsAtOnce } from './egress/egress.js';
import type { Engine } from './engine/binary.js';
import { close, listen } from './http/listen.js';
import type { Cause } from './pool/instance.js';
import type { ReadMemory } from './pool/memory.js';
import { createPool, type PoolLimits } from './pool/pool.js';
import type { RuntimeSettings } from './settings.js';
import { createTraceStore } from './traces/trace-store.js';

/** What happened to processes of scripts, for metrics and logs. */
export interface RuntimeEvents {
  request(operation: string, outcome: string, durationMs: number): void;
  /** A process has ended. `rests` is true where its integration gets no further one for a while. */
  ended(end: { integration: string; cause: Cause; rests: boolean }): void;
  /** A script has sent a request. */
  outgoing(outcome: string): void;
  error(error: unknown): void;
}

export interface RuntimeParts {
  engine: Engine;
  events: RuntimeEvents;
  /** Where folders of scripts and processes are made; the directory of the system unless given. */
  temp?: string;
  /** Specs replace the network, and shorten times. */
  network?: OutboundOptions['network'];
  limits?: Partial<PoolLimits>;
  read?: ReadMemory;
}

export interface Runtime {
  /** Where it listens, as `http://host:port`. */
  address: string;
  /** How many processes of scripts there are. */
  processes(): number;
  stop(): Promise<void>;
}

const times = {
  everyMs: 250,
  blockedMs: 2_000,
  startMs: 10_000,
  afterAnswerMs: 30_000,
  idleMs: 5 * 60_000,
  kills: 3,
  withinMs: 10 * 60_000,
  restMs: 10 * 60_000,
};
const heapMb = 128;
const callsInProcess = 32;

/** Starts the process's server. It starts no process of a script before the first call. */
export async function startRuntime(settings: RuntimeSettings, parts: RuntimeParts): Promise<Runtime> {
  const { engine, events } = parts;
  const traces = createTraceStore();
  const scripts = await createScripts(parts.temp);
  const pool =
    'binary' in engine ? await startPool(settings, parts, engine.binary, (trace) => traces.put(trace)) : undefined;
  const server = createRuntimeServer({
    key: settings.RUNTIME_KEY,
    isolation: settings.RUNTIME_ISOLATION,
    pool,
    unavailable: 'unavailable' in engine ? engine.unavailable : '',
    scripts,
    traces,
    observe: (...one) => events.request(...one),
    logError: (error) => events.error(error),
  });
  const stop = async (): Promise<void> => {
    traces.close();
    await Promise.all([close(server), pool?.stop()]);
    await scripts.stop();
  };
  await listen(server, { host: settings.RUNTIME_HOST, port: settings.RUNTIME_PORT }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const { port, address, family } = server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    processes: () => pool?.size() ?? 0,
    stop,
  };
}

function startPool(
  settings: RuntimeSettings,
  { events, network, limits, read, temp }: RuntimeParts,
  binary: string,
  onTrace: ReturnType<typeof createTraceStore>['put'],
) {
  const { origin } = new URL(settings.RUNTIME_API_ORIGIN);
  const allowed = parseNetworks(settings.OUTBOUND_ALLOWED_NETWORKS);
  return createPool({
    binary,
    limits: {
      ...times,
      heapMb,
      calls: callsInProcess,
      processes: settings.RUNTIME_PROCESSES,
      memoryMb: settings.RUNTIME_MEMORY_MB,
      totalMb: settings.RUNTIME_TOTAL_MB,
      ...limits,
    },
    api: { origin, url: new URL(settings.RUNTIME_API_URL ?? origin) },
    createOutbound: () =>
      createOutbound({ allowed, atOnce: requestsAtOnce, ...(network === undefined ? {} : { network }) }),
    onTrace,
    onRequest: ({ status, refused }) => events.outgoing(refused ?? (status < 500 ? 'ok' : 'failed')),
    onEnd: (ending) => events.ended(ending),
    temp,
    ...(read === undefined ? {} : { read }),
  });
}
