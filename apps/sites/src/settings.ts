import { addressSettings } from './model/addresses/addresses.settings.js';
import { scriptSettings } from './scripts/scripts.settings.js';
import { visitorTokenSettings } from './visitor-auth/visitor-tokens.settings.js';
import { hostnameSettings } from './sites/sites.settings.js';

/**
 * Settings that this service alone has, those of its domains. Light, so that a start can check them before it loads the
 * service.
 */
export const settings = { ...addressSettings, ...hostnameSettings, ...scriptSettings, ...visitorTokenSettings };
