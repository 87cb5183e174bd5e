import type { App } from '@scriptorium/platform';
import type { ProcessContext } from '@scriptorium/platform/process';
import { findEngine } from './engine/binary.js';
import { createEvents } from './runtime-events.js';
import type { RuntimeSettings } from './settings.js';
import { type Runtime, startRuntime } from './start-runtime.js';

/** Starts the runtime within a process. Services may run in the same one; no script runs before it is called. */
export async function create(
  settings: RuntimeSettings,
  { logger, registry, atEnd }: Pick<ProcessContext, 'logger' | 'registry' | 'atEnd'>,
): Promise<App> {
  const engine = await findEngine();
  const reason = 'unavailable' in engine ? engine.unavailable : undefined;
  if (reason !== undefined) logger.warn({ reason }, 'No script runs here');
  const started: { runtime?: Runtime } = {};
  const events = createEvents(registry, logger, () => started.runtime?.processes() ?? 0);
  const runtime = await startRuntime(settings, { engine, events });
  started.runtime = runtime;
  const forget = atEnd?.(() => runtime.stop());
  logger.info({ address: runtime.address }, 'Scripts are called here');
  // Where no script runs, each call says so; the process is ready to say it.
  const checks = () => Promise.resolve([{ name: 'engine', ok: true, detail: reason }]);
  const stop = async () => {
    forget?.();
    await runtime.stop();
  };
  return { name: 'runtime', checks, stop };
}
