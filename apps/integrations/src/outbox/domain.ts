import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { deliveryIndexes } from './deliveries.operational.js';
import { lastInstallations } from './last-installation.projection.js';
import { lastIntegrations } from './last-integration.projection.js';
import { outbox as outboxDocuments } from './outbox.projection.js';
import { outboxSettings } from './outbox.settings.js';
import { Planner } from './planner.process.js';
import { setupInstallationsHandler } from './setup-installations.run.js';
import { setupTargetsHandler } from './setup-targets.run.js';
import { visibilityIndexes } from './visibility.operational.js';

/** From what has happened to what is delivered to whom. */
export const outbox = defineDomain({
  name: 'outbox',
  settings: outboxSettings,
  projections: [outboxDocuments, lastInstallations, lastIntegrations],
  objects: ({ context, settings: { DISPATCH_MAX_QUEUED: mostQueued }, use }) => [
    new Planner({ context, access: use(ServiceAccess), mostQueued }),
  ],
  runs: ({ context, use }) => [setupTargetsHandler(context, use(ServiceAccess)), setupInstallationsHandler(context)],
  indexes: { ...deliveryIndexes, ...visibilityIndexes, op_planner: [] },
});
