import { installationReach, type ServiceAccess } from '@scriptorium/access';
import { defineRun, runHandler, type RunHandler } from '@scriptorium/event-sourcing';
import { requireLive, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { placesIn } from '../places/index.js';
import { deliveryOf, insertDeliveries } from './deliveries.operational.js';
import { setupOf } from './receivers.js';

/** Tells a script of all spaces, or all sites, that are there when all are selected. */
export const setupTargetsRun = defineRun({
  kind: 'setup_targets',
  input: z.object({
    installation: z.string(),
    targets: z.array(z.enum(['space', 'site'])),
    position: z.int(),
  }),
  state: z.object({ kind: z.int(), after: z.string(), done: z.int() }),
  begin: () => ({ kind: 0, after: '', done: 0 }),
  cancellable: false,
});

const atOnce = 500;

export function setupTargetsHandler(context: ServiceContext, access: ServiceAccess): RunHandler {
  return runHandler(setupTargetsRun, {
    async step({ kind: index, after, done }, store, { input: { installation, targets, position } }) {
      requireLive(store, [installationReach]);
      const [kind, reach] = [targets[index], await store.read(installationReach).byId(installation)];
      if (kind === undefined || reach === null) return { done: null, progress: { done } };
      const { organization, integration } = reach;
      const places = await placesIn(context.scope(store), access, kind, { organization, viewer: null });
      const next = places
        .filter((id) => id > after)
        .sort()
        .slice(0, atOnce);
      const last = next.at(-1);
      const planned = { installation, integration, organization, type: setupOf(kind), before: null };
      await insertDeliveries(
        context,
        next.map((id) => deliveryOf({ ...planned, target: { kind, id } }, position, context.now())),
      );
      if (last === undefined) return { next: { kind: index + 1, after: '', done }, progress: { done } };
      return { next: { kind: index, after: last, done: done + next.length }, progress: { done: done + next.length } };
    },
  });
}
