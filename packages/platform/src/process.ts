import type { App } from './admin.js';
import { serveAdmin } from './admin.js';
import { ConfigError } from './config.js';
import { createLogger, type Logger, type LogSettings } from './logging.js';
import { createRegistry, type Registry } from './metrics.js';

/** What the apps of one process share. */
export interface ProcessContext {
  logger: Logger;
  registry: Registry;
}

export interface ProcessSettings extends LogSettings {
  ADMIN_HOST: string;
  ADMIN_PORT: number;
}

const stopWithinMs = 5_000;

/** Exit code of a process that a wrong setting ended (EX_CONFIG of sysexits.h): starting it again changes nothing. */
const badSettings = 78;

/**
 * Runs a process: its apps, its admin port, its end. SIGINT and SIGTERM stop the apps within 5 s, then the process; a
 * setting that is wrong ends it with one line. Call it from `main.ts` and nowhere else.
 */
export async function runProcess<S extends ProcessSettings>(
  name: string,
  settings: () => S,
  start: (settings: S, context: ProcessContext) => Promise<App[]>,
): Promise<void> {
  try {
    const config = settings();
    const context = { logger: createLogger(name, config), registry: createRegistry() };
    let apps: App[] = [];
    const admin = await serveAdmin({ host: config.ADMIN_HOST, port: config.ADMIN_PORT }, context.registry, () => apps);
    const ended = endOnSignal(context.logger, async () => {
      await Promise.all(apps.map((app) => app.stop()));
      await admin.stop();
    });
    apps = await start(config, context);
    context.logger.info({ adminPort: admin.port }, 'ready');
    process.send?.({ ready: true, adminPort: admin.port });
    await ended;
  } catch (error) {
    const isSetting = error instanceof ConfigError;
    process.stderr.write(`${name}: ${isSetting ? error.message : String(error)}\n`);
    process.exit(isSetting ? badSettings : 1);
  }
}

function endOnSignal(logger: Logger, stop: () => Promise<void>): Promise<void> {
  let stopping: Promise<void> | undefined;
  const stopOnce = (): Promise<void> => {
    if (stopping === undefined) logger.info('stopping');
    return (stopping ??= stop());
  };
  return new Promise((resolve) => {
    // A signal may be followed by another, or by the end of the parent: apps are stopped once.
    const end = (exit: (code: number) => void) => {
      setTimeout(() => exit(1), stopWithinMs).unref();
      stopOnce().then(
        () => {
          resolve();
          exit(0);
        },
        (error: unknown) => {
          logger.error({ err: error }, 'stopping failed');
          exit(1);
        },
      );
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end((code) => process.exit(code)));
    // A process started by `scriptorium start` ends with it, however that ended. Nobody is left to see an exit code or to
    // kill it: Node's own way out can block for ever while V8 still compiles (nodejs/node#54918), so it takes the short one.
    const orphaned = () => end(() => process.kill(process.pid, 'SIGKILL'));
    if (process.connected === false) orphaned();
    else if (process.send !== undefined) process.once('disconnect', orphaned);
  });
}
