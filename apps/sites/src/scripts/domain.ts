import { defineDomain } from '@scriptorium/platform';
import { installationValues, integrationScripts } from './script-sources.projections.js';
import { scriptSettings } from './scripts.settings.js';
import { SiteScripts } from './site-scripts.queries.js';

/** Scripts that integrations put on the pages of sites. */
export const scripts = defineDomain({
  name: 'scripts',
  settings: scriptSettings,
  objects: ({ settings }) => [new SiteScripts(settings.INTEGRATIONS_ORIGIN)],
  projections: [integrationScripts, installationValues],
});
