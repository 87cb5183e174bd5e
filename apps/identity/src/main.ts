import { parseConfig, runProcess, serviceSettings } from '@scriptorium/platform';
import { create } from './create.js';

await runProcess('identity', () => parseConfig(serviceSettings, process.env), async (config, context) => [await create(config, context)]);
