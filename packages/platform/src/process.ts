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
  return new Promise((resolve) => {
    const end = () => {
      logger.info('stopping');
      setTimeout(() => process.exit(1), stopWithinMs).unref();
      stop().then(
        () => {
          resolve();
          process.exit(0);
        },
        (error: unknown) => {
          logger.error({ err: error }, 'stopping failed');
          process.exit(1);
        },
      );
    };
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
    // A process started by `scriptorium start` ends with it, however that ended.
    if (process.send !== undefined) process.once('disconnect', end);
  });
}
