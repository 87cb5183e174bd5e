import { defineDomain } from '@scriptorium/platform';
import { deletedOrganizationsReactor, deletedSitesReactor, newSitesReactor } from './cascades.reactor.js';
import { unaddedCommand, unaddedTimer } from './unadded.timer.js';

/** What happens to sites with their organizations, and to what is left of deleted ones. */
export const cascades = defineDomain({
  name: 'cascades',
  reactors: ({ context }) => [deletedOrganizationsReactor, deletedSitesReactor(context), newSitesReactor],
  timers: () => ({ [unaddedCommand]: unaddedTimer }),
});
