import { AppError } from '@scriptorium/contracts';
import type { App } from './admin.js';
import { serveAdmin } from './admin.js';
import { ConfigError, badSettings, unfit } from './config.js';
import { createLogger, type Logger, type LogSettings } from '../observability/logging.js';
import { createRegistry, workerMetrics, type Registry } from '../observability/metrics.js';
import { createWorkerPool, type WorkerPool } from '../workers/worker-pool.js';

/** What the apps of one process share. */
export interface ProcessContext {
  logger: Logger;
  registry: Registry;
  /** Threads for what takes much CPU. Absent where a service shall have its own. */
  workers?: WorkerPool;
  /**
   * Takes how to end something, from the moment on in which it has begun: the process may end while it starts. Answers how to
   * take that back. Absent where whoever starts an app sees to its end.
   */
  atEnd?: (end: () => Promise<void>) => () => void;
}

export interface ProcessSettings extends LogSettings {
  ADMIN_HOST: string;
  ADMIN_PORT: number;
  /** Of processes that run services. */
  WORKER_THREADS?: number | undefined;
  WORKER_HEAP_MB?: number | undefined;
}

const stopWithinMs = 5_000;

/**
 * Runs a process: its apps, its admin port, its end. SIGINT and SIGTERM stop the apps within 5 s, then the process, also
 * while it starts; a setting that is wrong ends it with one line. Call it from `main.ts` and nowhere else.
 */
export async function runProcess<S extends ProcessSettings>(
  name: string,
  settings: () => S,
  start: (settings: S, context: ProcessContext) => Promise<App[]>,
): Promise<void> {
  const running: Running = { apps: [], ends: new Set(), isEnding: false };
  try {
    const config = settings();
    const logger = createLogger(name, config);
    const registry = createRegistry();
    const { WORKER_THREADS: threads, WORKER_HEAP_MB: heapMb } = config;
    const workers = createWorkerPool({ threads, heapMb, metrics: workerMetrics(registry) });
    const context: ProcessContext = { logger, registry, workers, atEnd: (end) => endWith(running, end) };
    const admin = await serveAdmin(
      { host: config.ADMIN_HOST, port: config.ADMIN_PORT },
      context.registry,
      () => running.apps,
    );
    const ended = endOnSignal(logger, async () => {
      await endAll(running);
      await Promise.all([workers.stop(), admin.stop()]);
    });
    running.apps = await start(config, context).catch((error: unknown) => {
      // What a start was interrupted by is no failure of it.
      if (!running.isEnding) throw error;
      return [];
    });
    if (!running.isEnding) {
      logger.info({ adminPort: admin.port }, 'ready');
      process.send?.({ ready: true, adminPort: admin.port });
    }
    await ended;
  } catch (error) {
    const { line, code } = farewell(error);
    process.stderr.write(`${name}: ${line}\n`);
    setTimeout(() => leave(code), stopWithinMs);
    await endAll(running).catch(() => undefined);
    // What a start failed by may be the end of everything, of which the next turn tells; this one has polled already.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    leave(code);
  }
}

/** What a process that could not start says, and the code that tells whether to try again. */
function farewell(error: unknown): { line: string; code: number } {
  if (error instanceof ConfigError) return { line: error.message, code: badSettings };
  // By this a store refuses what it would refuse again.
  if (error instanceof AppError && error.reason === 'unexpected') {
    return { line: `${error.message}; see docs/operations.md, "It does not start"`, code: unfit };
  }
  return { line: String(error), code: 1 };
}

interface Running {
  apps: App[];
  ends: Set<() => Promise<void>>;
  isEnding: boolean;
}

function endWith({ ends }: Running, end: () => Promise<void>): () => void {
  ends.add(end);
  return () => void ends.delete(end);
}

async function endAll(running: Running): Promise<void> {
  running.isEnding = true;
  await Promise.all([...[...running.ends].map((end) => end()), ...running.apps.map((app) => app.stop())]);
}

function endOnSignal(logger: Logger, stop: () => Promise<void>): Promise<void> {
  let stopping: Promise<void> | undefined;
  const stopOnce = (): Promise<void> => {
    if (stopping === undefined) logger.info('stopping');
    return (stopping ??= stop());
  };
  return new Promise((resolve) => {
    // A signal may be followed by another, or by the end of the parent: apps are stopped once.
    const end = () => {
      setTimeout(() => leave(1), stopWithinMs).unref();
      stopOnce().then(
        () => {
          resolve();
          leave(0);
        },
        (error: unknown) => {
          logger.error({ err: error }, 'stopping failed');
          leave(1);
        },
      );
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
    // A process started by `scriptorium start` ends with it, however that ended.
    if (isOrphan()) end();
    else if (process.send !== undefined) process.once('disconnect', end);
  });
}

/** Whether the one who started this process with a channel to it is gone. */
function isOrphan(): boolean {
  return process.connected === false;
}

/**
 * Ends the process. Of an orphan nobody is left to see an exit code or to kill it: Node's own way out can block for ever
 * while V8 still compiles (nodejs/node#54918), so it takes the short one.
 */
function leave(code: number): void {
  if (isOrphan()) process.kill(process.pid, 'SIGKILL');
  else process.exit(code);
}
