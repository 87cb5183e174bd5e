import { defineDomain } from '@scriptorium/platform';
import { Addresses } from './addresses.process.js';
import { addressSettings } from './addresses.settings.js';

/** Where integrations are reached. */
export const addresses = defineDomain({
  name: 'addresses',
  settings: addressSettings,
  objects: ({ context: { urls }, settings: { CONTENT_ORIGIN: content, INTEGRATIONS_ORIGIN: origin } }) => [
    new Addresses({ api: urls.api, app: urls.app, content, origin }),
  ],
});
