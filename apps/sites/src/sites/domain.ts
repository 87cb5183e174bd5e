import { defineDomain } from '@scriptorium/platform';
import { SitesController } from './sites.controller.js';

/** Sites: their settings, creation and deletion. */
export const siteSettings = defineDomain({ name: 'sites', controllers: [SitesController] });
