import { knownTeams } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { SiteGrantsController } from './grants.controller.js';
import { grantReactors } from './grants.reactor.js';

/** What sites grant to users and teams. */
export const grants = defineDomain({
  name: 'grants',
  controllers: [SiteGrantsController],
  projections: [knownTeams],
  reactors: () => grantReactors,
});
