import { addressSettings } from './addresses/addresses.settings.js';
import { dispatchSettings } from './dispatch/dispatch.settings.js';
import { endpointSettings } from './endpoints/endpoints.settings.js';
import { outboxSettings } from './outbox/outbox.settings.js';
import { scriptSettings } from './scripts/scripts.settings.js';

/**
 * Settings that this service alone has, those of its domains. Light, so that a start can check them before it loads the
 * service.
 */
export const settings = {
  ...addressSettings,
  ...scriptSettings,
  ...outboxSettings,
  ...dispatchSettings,
  ...endpointSettings,
};
