import { processSettings, serviceSettings } from '../../packages/platform/dist/process/config.js';
import { readerSettings } from '../../apps/reader/dist/settings.js';
import { settings as runtimeSettings } from '../../apps/runtime/dist/settings.js';
import { gatewaySettings } from '../../apps/gateway/dist/config.js';
import {
  addressSettings,
  bootstrapSettings,
  folderSettings,
  moveSettings,
  startSettings,
} from '../../apps/cli/dist/settings.js';
import { installedServices, settingsOf } from '../../apps/cli/dist/apps.js';
import { serversSettings } from '../../apps/cli/dist/processes/servers-settings.js';
import { settingsPage } from './settings-page.mjs';

/** The text of `docs/configuration.md`, from the schemas of everything that reads the environment. */
export async function configurationPage() {
  return settingsPage([
    {
      title: '`npm start` (`scriptorium start`)',
      about:
        'Starts the whole product on one machine. It hands its environment on to the processes that it starts, so their settings below can be set here too.',
      settings: startSettings,
    },
    {
      title: '`npm run bootstrap` (`scriptorium bootstrap`)',
      about: 'Creates the first user, organization and token of an installation whose processes run elsewhere.',
      settings: bootstrapSettings,
    },
    {
      title: 'Commands that ask a running installation',
      about:
        'All `scriptorium` commands with the options `--url`, `--token` and `--json`, such as `rebuild`, `demo`, `import`, `openapi list` (see [operations.md](operations.md#the-command-line)). The options go before these variables.',
      settings: addressSettings,
    },
    {
      title:
        '`npm run backup`, `npm run restore`, `npm run scavenge`, `npm run verify` (`scriptorium backup`, `restore`, `scavenge`, `verify`)',
      about: 'Copy, bring back and check the data of the embedded servers (see [operations.md](operations.md#backup)).',
      settings: folderSettings,
    },
    {
      title: '`npm run move` (`scriptorium move`)',
      about:
        'Copies a stopped installation from the embedded servers to real ones, or back (see [operations.md](operations.md#copy-an-installation)).',
      settings: moveSettings,
    },
    {
      title: 'The process of embedded servers',
      about: 'Under `npm start`, set it there; it is handed on.',
      settings: serversSettings,
    },
    {
      title: 'Gateway and services',
      about:
        'Of these, the process of embedded servers reads `ADMIN_HOST`, `ADMIN_PORT`, `LOG_LEVEL` and `LOG_FORMAT` alone.',
      settings: processSettings,
    },
    {
      title: 'The gateway',
      about:
        'Besides those above. Under `npm start`, `STOP_TIMEOUT_MS` is 2500 unless set, so that everything ends within 5 s, and `PUBLIC_URL` is always set.',
      settings: own(gatewaySettings),
    },
    {
      title: 'The reader',
      about:
        'Shows published sites; see [services/reader.md](services/reader.md). Under `npm start` all addresses are set. It reads none of the settings of gateway and services but these.',
      settings: readerSettings,
    },
    {
      title: 'The runtime of scripts',
      about:
        'Runs scripts of integrations; see [its page](../apps/runtime/README.md). It reads none of the settings of gateway and services but these. `npm start` runs it and sets its addresses, unless `RUNTIME` or `RUNTIME_URL` say otherwise.',
      settings: runtimeSettings,
    },
    {
      title: 'Services',
      about:
        'Besides those above. Limits of members and of tokens hold exactly. Those of teams, pending invitations and the organizations that somebody founds hold exactly in one process; of several replicas that are asked at the same moment, each may let one request in beyond the limit. The number of organizations of somebody whom several organizations admit at the same moment is looked up by each before.',
      settings: own(serviceSettings),
    },
    ...(await Promise.all(installedServices().map(ofService))),
  ]);
}

/** What one service alone has. */
async function ofService(name) {
  return { title: `The service ${name}`, about: 'Besides those above.', settings: await settingsOf(name) };
}

/** What is not shared by gateway and services. */
function own(settings) {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !(name in processSettings)));
}
