import { processSettings, serviceSettings } from '../../packages/platform/dist/config.js';
import { gatewaySettings } from '../../apps/gateway/dist/config.js';
import { bootstrapSettings, startSettings } from '../../apps/cli/dist/settings.js';
import { settingsPage } from './settings-page.mjs';

const services = Object.fromEntries(Object.entries(serviceSettings).filter(([name]) => !(name in processSettings)));

/** The text of `docs/configuration.md`, from the schemas of everything that reads the environment. */
export function configurationPage() {
  return settingsPage([
    {
      title: '`npm start` (`scriptorium start`)',
      about:
        'Starts the whole product on one machine. It hands its environment on to the processes that it starts, so their settings below can be set here too. `RATE_LIMIT` is accepted and handed on; nothing limits the rate of requests yet.',
      settings: startSettings,
    },
    {
      title: '`npm run bootstrap` (`scriptorium bootstrap`)',
      about: 'Creates the first user, organization and token of an installation whose processes run elsewhere.',
      settings: bootstrapSettings,
    },
    { title: 'Every process', about: 'The gateway has no use for `SECRET_KEYS` and does not read it.', settings: processSettings },
    { title: 'The gateway', about: 'Besides those of every process:', settings: own(gatewaySettings) },
    { title: 'Every service', about: 'Besides those of every process:', settings: services },
  ]);
}

function own(settings) {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !(name in processSettings)));
}
