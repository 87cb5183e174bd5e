import { AppError } from '@scriptorium/contracts';
import type { App } from './admin.js';
import { serveAdmin } from './admin.js';
import { ConfigError, badSettings, unfit } from './config.js';
import { createLogger, type Logger, type LogSettings } from '../observability/logging.js';
import { createRegistry, workerMetrics, type Registry } from '../observability/metrics.js';
import { createWorkerPool, type WorkerPool } from '../workers/worker-pool.js';

/** What all apps of one process share. */
export interface ProcessContext {
  logger: Logger;
  registry: Registry;
  /** The worker pool. If absent, a service creates its own. */
  workers?: WorkerPool;
  /**
   * Registers how to stop a part, as soon as it is started, since the process may end during the start. Returns a
   * function that removes the registration. Absent if the caller stops the app itself.
   */
  atEnd?: (end: () => Promise<void>) => () => void;
}

export interface ProcessSettings extends LogSettings {
  ADMIN_HOST: string;
  ADMIN_PORT: number;
  /** Only for processes that run services. */
  WORKER_THREADS?: number | undefined;
  WORKER_HEAP_MB?: number | undefined;
}

const stopWithinMs = 5_000;

/**
 * Runs a process with its apps and admin port. SIGINT and SIGTERM stop the apps within 5 s and then the process, also
 * during the start. An invalid setting ends it with one line. Call it only from `main.ts`.
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
      // An interrupted start is not a failed one.
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
    // The start may have failed because the process is being stopped, which the next turn of the event loop shows.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    leave(code);
  }
}

/** The message and exit code of a process that could not start. The code tells whether trying again can help. */
function farewell(error: unknown): { line: string; code: number } {
  if (error instanceof ConfigError) return { line: error.message, code: badSettings };
  // With this error a store refuses a start that it would refuse again.
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
    // There may be several signals, or the parent may end as well. Apps are stopped only once.
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
    // A process that `scriptorium start` has started ends with it, in whatever way that ended.
    if (isOrphan()) end();
    else if (process.send !== undefined) process.once('disconnect', end);
  });
}

/** Whether the parent process, which opened a channel to this one, is gone. */
function isOrphan(): boolean {
  return process.connected === false;
}

/**
 * Ends the process. Without a parent nobody sees the exit code or kills the process, and Node's own exit can block for
 * ever while V8 still compiles (nodejs/node#54918), so it kills itself.
 */
function leave(code: number): void {
  if (isOrphan()) process.kill(process.pid, 'SIGKILL');
  else process.exit(code);
}
