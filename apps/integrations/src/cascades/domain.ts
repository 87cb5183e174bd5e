import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { Planner } from '../outbox/index.js';
import { AssetStore } from '../publishing/index.js';
import { RuntimeClient } from '../scripts/index.js';
import {
  deletedOrganizationsReactor,
  endedCallbacksReactor,
  endedOfDeletedReactor,
  endedWebhooksReactor,
  lateInstallationsReactor,
  lateIntegrationsReactor,
  unpublishedReactor,
} from './cascades.reactor.js';
import {
  deletedSitesReactor,
  deletedSpacesReactor,
  lateTargetsReactor,
  purgedSpacesReactor,
  transferredSpacesReactor,
} from './places.reactor.js';
import { dropSiteConfigurationsCommand, dropSiteConfigurationsTimer } from './drop-site-configurations.timer.js';
import { erasedPeopleReactor } from './people.reactor.js';
import { unpublishHandler } from './unpublish.run.js';

/** What ends with integrations, organizations, spaces and sites. */
export const cascades = defineDomain({
  name: 'cascades',
  runs: ({ context, use }) => {
    const { isThere: hasRuntime } = use(RuntimeClient);
    return [unpublishHandler({ context, assets: use(AssetStore), planner: use(Planner), hasRuntime })];
  },
  timers: ({ context, use }) => ({
    [dropSiteConfigurationsCommand]: dropSiteConfigurationsTimer(context, use(Planner)),
  }),
  reactors: ({ context, use }) => [
    unpublishedReactor,
    lateInstallationsReactor,
    deletedOrganizationsReactor,
    lateIntegrationsReactor,
    endedCallbacksReactor(context),
    endedOfDeletedReactor(context),
    endedWebhooksReactor(context),
    deletedSpacesReactor(use(ServiceAccess)),
    transferredSpacesReactor,
    purgedSpacesReactor(context),
    deletedSitesReactor(context, use(RuntimeClient).isThere),
    lateTargetsReactor(context, use(ServiceAccess)),
    erasedPeopleReactor(context),
  ],
});
