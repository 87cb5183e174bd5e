import { defineDomain } from '@scriptorium/platform';
import { modelSettings } from './model.settings.js';
import { Models } from './models.process.js';
import { outageIndexes } from './outages.operational.js';

/** Models of others that help with conversations. */
export const models = defineDomain({
  name: 'models',
  settings: modelSettings,
  indexes: outageIndexes,
  objects: ({ settings }) => [new Models(settings)],
});
