import { defineDomain } from '@scriptorium/platform';
import { deletedOrganizationsReactor, deletedSitesReactor, newSitesReactor } from './directory.reactor.js';
import { unaddedCommand, unaddedTimer } from './unadded.timer.js';

/** Which sites organizations have, and what happens to deleted ones. */
export const directories = defineDomain({
  name: 'directory',
  reactors: ({ context }) => [deletedOrganizationsReactor, deletedSitesReactor(context), newSitesReactor],
  timers: () => ({ [unaddedCommand]: unaddedTimer }),
});
