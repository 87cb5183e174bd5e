import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { InstallationListsController } from './installation-lists.controller.js';
import { installations as documents } from './installation.projection.js';
import { InstallationsController } from './installations.controller.js';
import { accessToInstallation } from './installations.queries.js';
import { endedInstallationsReactor, replacedConfigurationsReactor } from './installations.reactor.js';
import { targetEntries } from './target-entry.projection.js';

/** What organizations have installed, and how it is configured. */
export const installations = defineDomain({
  name: 'installations',
  controllers: [InstallationsController, InstallationListsController],
  projections: [documents, targetEntries],
  resolvers: ({ use }) => ({
    integration_installation: (scope, principal, params) =>
      accessToInstallation(scope, use(ServiceAccess), principal, params),
  }),
  reactors: () => [replacedConfigurationsReactor, endedInstallationsReactor],
});
