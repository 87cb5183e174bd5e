import { defineDomain } from '@scriptorium/platform';
import { siteRedirects } from './redirect.projection.js';
import { RedirectsController } from './redirects.controller.js';

/** Paths of sites that lead elsewhere. */
export const redirectsDomain = defineDomain({
  name: 'redirects',
  controllers: [RedirectsController],
  projections: [siteRedirects],
});
