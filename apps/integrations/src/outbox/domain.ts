import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { deliveryIndexes } from './deliveries.operational.js';
import { lastInstallations } from './last-installation.projection.js';
import { outbox as outboxDocuments } from './outbox.projection.js';
import { Planner } from './planner.process.js';
import { setupTargetsHandler } from './setup-targets.run.js';

/** From what has happened to what is delivered to whom. */
export const outbox = defineDomain({
  name: 'outbox',
  projections: [outboxDocuments, lastInstallations],
  objects: ({ context }) => [new Planner(context)],
  runs: ({ context, use }) => [setupTargetsHandler(context, use(ServiceAccess))],
  indexes: { ...deliveryIndexes, op_planner: [] },
});
