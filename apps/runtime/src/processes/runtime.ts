import { parseConfig } from '@scriptorium/platform/config';
import { runProcess } from '@scriptorium/platform/process';
import { findEngine } from '../engine/binary.js';
import { createEvents } from '../runtime-events.js';
import { runtimeSettings } from '../settings.js';
import { type Runtime, startRuntime } from '../start-runtime.js';

await runProcess(
  'runtime',
  () => parseConfig(runtimeSettings, process.env),
  async (settings, { logger, registry }) => {
    const engine = await findEngine();
    const reason = 'unavailable' in engine ? engine.unavailable : undefined;
    if (reason !== undefined) logger.warn({ reason }, 'No script runs here');
    const started: { runtime?: Runtime } = {};
    const events = createEvents(registry, logger, () => started.runtime?.processes() ?? 0);
    const runtime = await startRuntime(settings, { engine, events });
    started.runtime = runtime;
    logger.info({ address: runtime.address }, 'listening');
    // Where no script runs, each call says so; the process is ready to say it.
    const checks = () => Promise.resolve([{ name: 'engine', ok: true, detail: reason }]);
    return [{ name: 'runtime', checks, stop: () => runtime.stop() }];
  },
);
