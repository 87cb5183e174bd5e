import { parseConfig, runProcess, serviceSettings } from '@scriptorium/platform';
import { create } from './create.js';
import { settings } from './settings.js';

await runProcess(
  'conversations',
  () => parseConfig({ ...serviceSettings, ...settings }, process.env),
  async (config, context) => [await create(config, context)],
);
