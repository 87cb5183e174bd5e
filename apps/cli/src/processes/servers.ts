import { parseConfig } from '@scriptorium/platform/config';
import { runProcess } from '@scriptorium/platform/process';
import { filesOf } from '../installation/data-folder.js';
import { backupStores } from './servers-backup.js';
import { serveServersControl } from './servers-control.js';
import { startEmbedded } from './servers-embedded.js';
import { scavengeStores } from './servers-scavenge.js';
import { serversProcessSettings } from './servers-settings.js';
import type { Stores } from './servers-stores.js';

await runProcess(
  'servers',
  () => parseConfig(serversProcessSettings, process.env),
  async (config, { logger }) => {
    const stores: Stores = {};
    const apps = await startEmbedded(config, stores, logger);
    const control = await serveServersControl(filesOf(config.EMBEDDED_DATA_DIR).servers, {
      backup: (target) => backupStores(stores, target),
      scavenge: () => scavengeStores(stores),
    });
    return [...apps, { name: 'control', checks: () => Promise.resolve([]), stop: () => control.stop() }];
  },
);
