import { defineDomain } from '@scriptorium/platform';
import { defaultSitesReactor } from './sites.reactor.js';
import { SitesController } from './sites.controller.js';

/** Sites: their settings, creation and deletion. */
export const siteSettings = defineDomain({
  name: 'sites',
  controllers: [SitesController],
  reactors: ({ context }) => [defaultSitesReactor(context)],
});
