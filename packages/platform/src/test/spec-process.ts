import { parseConfig, serviceSettings } from '../process/config.js';
import { runProcess } from '../process/process.js';
import { startService } from '../service/service.js';
import { specService } from './thing.js';

/** The spec's service as a process of its own, to be sent signals. */
await runProcess(
  'spec',
  () => parseConfig(serviceSettings, process.env),
  async (config, context) => [await startService(specService({ stopped: false }), config, context)],
);
