import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { SiteTargetsController } from './site-targets.controller.js';
import { SpaceTargetsController } from './space-targets.controller.js';
import { accessToTarget } from './targets.queries.js';

/** Spaces and sites on which integrations are installed. */
export const targets = defineDomain({
  name: 'targets',
  controllers: [SpaceTargetsController, SiteTargetsController],
  resolvers: ({ use }) => ({
    integration_space: (scope, principal, { spaceId = '', ...params }) =>
      accessToTarget(scope, use(ServiceAccess), principal, { params, target: { kind: 'space', id: spaceId } }),
    integration_site: (scope, principal, { siteId = '', ...params }) =>
      accessToTarget(scope, use(ServiceAccess), principal, { params, target: { kind: 'site', id: siteId } }),
  }),
});
