import { defineDomain } from '@scriptorium/platform';
import { ConfigError } from '@scriptorium/platform/config';
import { RuntimeClient } from './runtime-client.process.js';
import { scriptSettings } from './scripts.settings.js';

/** Calls of scripts, wherever the runtime is. */
export const scripts = defineDomain({
  name: 'scripts',
  settings: scriptSettings,
  objects: ({ context: { now }, settings: { RUNTIME_URL: url, RUNTIME_KEY: key } }) => {
    if (url !== undefined && key === undefined) throw new ConfigError('RUNTIME_KEY is not set, and RUNTIME_URL is');
    return [new RuntimeClient({ url, key: key ?? '', now })];
  },
});
