import { isCoveredBy } from '@scriptorium/contracts';
import { defineDomain } from '@scriptorium/platform';
import { ConfigError } from '@scriptorium/platform/config';
import { Addresses } from './addresses.process.js';
import { addressSettings } from './addresses.settings.js';

/** Where integrations are reached. */
export const addresses = defineDomain({
  name: 'addresses',
  settings: addressSettings,
  objects: ({ context: { urls }, settings: { CONTENT_ORIGIN: content, INTEGRATIONS_ORIGIN: origin } }) => {
    for (const [setting, address] of Object.entries({ PUBLIC_URL: urls.api, CONTENT_ORIGIN: content }))
      if (isCoveredBy(origin, address))
        throw new ConfigError(`INTEGRATIONS_ORIGIN: ${origin} must not cover the host of ${setting}, ${address}`);
    return [new Addresses({ api: urls.api, app: urls.app, content, origin })];
  },
});
