import { parseConfig } from '@scriptorium/platform/config';
import { runProcess } from '@scriptorium/platform/process';
import { create } from './create.js';
import { settings } from './settings.js';

await runProcess(
  'runtime',
  () => parseConfig(settings, process.env),
  async (config, context) => [await create(config, context)],
);
