import { defineDomain } from '@scriptorium/platform';
import { modelSettings } from './model.settings.js';
import { Models } from './models.process.js';

/** Models of others that help with conversations. */
export const models = defineDomain({
  name: 'models',
  settings: modelSettings,
  objects: ({ settings }) => [new Models(settings)],
});
