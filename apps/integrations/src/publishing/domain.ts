import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { serviceSettings } from '@scriptorium/platform/config';
import { AssetStore } from './asset-store.process.js';
import { assetIndexes } from './assets.operational.js';
import { accessToIntegration } from './integration-access.queries.js';
import { integrations } from './integration.projection.js';
import { integrationNames } from './names.reservation.js';
import { PublishingController } from './publishing.controller.js';
import { replacedVersionsReactor, sweepVersionsCommand, sweepVersionsTimer } from './replaced-versions.reactor.js';

const { MONGODB_URL } = serviceSettings;

/** Integrations, as their owners publish them. */
export const publishing = defineDomain({
  name: 'publishing',
  settings: { MONGODB_URL },
  controllers: [PublishingController],
  projections: [integrations],
  reservations: () => [integrationNames],
  objects: ({ context, settings }) => [new AssetStore(context, settings.MONGODB_URL)],
  resolvers: ({ use }) => ({
    integration: (scope, principal, params) => accessToIntegration(scope, use(ServiceAccess), principal, params),
  }),
  reactors: () => [replacedVersionsReactor],
  timers: ({ context, use }) => ({ [sweepVersionsCommand]: sweepVersionsTimer(context, use(AssetStore)) }),
  indexes: assetIndexes,
});
