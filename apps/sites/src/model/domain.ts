import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { addressSettings } from './addresses/addresses.settings.js';
import { customizations } from './shown/customization.projection.js';
import { Publishing } from './addresses/addresses.js';
import { sites } from './site/site.projection.js';
import { basenames, proxies, siteHostnames } from './site/unique-values.reservation.js';
import { accessToSite, accessToSitePart } from './shown/site-viewer.queries.js';

/** What a site is: its settings, what stands on it, who may see it, and where it is published. */
export const model = defineDomain({
  name: 'model',
  settings: addressSettings,
  projections: [sites, customizations],
  reservations: () => [basenames, proxies, siteHostnames],
  objects: ({ context: { urls }, settings: { PUBLISH_DOMAIN: domain, SITES_ORIGIN: origin } }) => [
    new Publishing({ domain, origin, appUrl: urls.app, apiUrl: urls.api }),
  ],
  resolvers: ({ use }) => {
    const access = use(ServiceAccess);
    return {
      site: (scope, principal, params) => accessToSite(scope, access, principal, params),
      site_part: (scope, principal, params) => accessToSitePart(scope, access, principal, params),
    };
  },
});
