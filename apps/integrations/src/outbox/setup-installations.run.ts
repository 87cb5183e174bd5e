import { installationReach } from '@scriptorium/access';
import { integrationEventSchemas } from '@scriptorium/contracts';
import { defineRun, runHandler, type RunHandler } from '@scriptorium/event-sourcing';
import { requireLive, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { deliveryOf, insertDeliveries } from './deliveries.operational.js';
import { plannedForDemands } from './receivers.js';

/** Tells a script of all its installations whose status is another one with what a new version asks for. */
export const setupInstallationsRun = defineRun({
  kind: 'setup_installations',
  input: z.object({
    integration: z.string(),
    position: z.int(),
    ...integrationEventSchemas.IntegrationDemandsChanged.shape,
  }),
  state: z.object({ after: z.string(), done: z.int() }),
  begin: () => ({ after: '', done: 0 }),
  cancellable: false,
});

const atOnce = 500;

export function setupInstallationsHandler(context: ServiceContext): RunHandler {
  return runHandler(setupInstallationsRun, {
    async step({ after, done }, store, { input: { integration, position, demands, before } }) {
      requireLive(store, [installationReach]);
      const found = await store
        .read(installationReach)
        .find({ integration, _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(atOnce)
        .toArray();
      const last = found.at(-1);
      if (last === undefined) return { done: null, progress: { done } };
      const cause = { kind: 'demands_changed', integration, demands, before } as const;
      const planned = found
        // What was installed after that was installed with this version.
        .filter(({ since }) => since < position)
        .flatMap(({ _id: id, ...reach }) => plannedForDemands(cause, { id, reach }));
      await insertDeliveries(
        context,
        planned.map((one) => deliveryOf(one, position, context.now())),
      );
      const all = done + planned.length;
      return { next: { after: last._id, done: all }, progress: { done: all } };
    },
  });
}
