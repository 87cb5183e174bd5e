import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { Planner } from '../outbox/index.js';
import { AssetStore } from '../publishing/index.js';
import { RuntimeClient } from '../scripts/index.js';
import {
  deletedOrganizationsReactor,
  endedOfDeletedReactor,
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
import { erasedPeopleReactor } from './people.reactor.js';
import { unpublishHandler } from './unpublish.run.js';

/** What ends with integrations, organizations, spaces and sites. */
export const cascades = defineDomain({
  name: 'cascades',
  runs: ({ context, use }) => {
    const { isThere: hasRuntime } = use(RuntimeClient);
    return [unpublishHandler({ context, assets: use(AssetStore), planner: use(Planner), hasRuntime })];
  },
  reactors: ({ context, use }) => [
    unpublishedReactor,
    lateInstallationsReactor,
    deletedOrganizationsReactor,
    lateIntegrationsReactor,
    endedOfDeletedReactor(context),
    deletedSpacesReactor(use(ServiceAccess)),
    transferredSpacesReactor,
    purgedSpacesReactor(context),
    deletedSitesReactor(context),
    lateTargetsReactor(context, use(ServiceAccess)),
    erasedPeopleReactor(context),
  ],
});
