import { installationReach, type InstallationReachDocument, type ServiceAccess } from '@scriptorium/access';
import { defineRun, runHandler, type RunHandler, type StoreScope } from '@scriptorium/event-sourcing';
import { requireLive, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { placesIn } from '../places/index.js';
import { deliveryOf, insertDeliveries, toldLater } from './deliveries.operational.js';
import { deletedOf, setupOf } from './receivers.js';

/** Tells a script of all spaces, or all sites: that they are selected, or that they are not any more. */
export const setupTargetsRun = defineRun({
  kind: 'setup_targets',
  input: z.object({
    installation: z.string(),
    targets: z.array(z.enum(['space', 'site'])),
    position: z.int(),
    /** Whether all of them are selected from then on; otherwise those stay that are selected by themselves. */
    selected: z.boolean().default(true),
  }),
  state: z.object({ kind: z.int(), after: z.string(), done: z.int() }),
  begin: () => ({ kind: 0, after: '', done: 0 }),
  cancellable: false,
});

const atOnce = 500;

type Kind = 'space' | 'site';
interface Wanted {
  kind: Kind;
  selected: boolean;
  after: string;
}

export function setupTargetsHandler(context: ServiceContext, access: ServiceAccess): RunHandler {
  const nextOf = async (store: StoreScope, reach: InstallationReachDocument, wanted: Wanted): Promise<string[]> => {
    const { organization, spaces, sites } = reach;
    const { kind, selected, after } = wanted;
    const places = await placesIn(context.scope(store), access, kind, { organization, viewer: null });
    const own = new Set((kind === 'space' ? spaces : sites).map(({ id }) => id));
    return places
      .filter((id) => id > after && (selected || !own.has(id)))
      .sort()
      .slice(0, atOnce);
  };
  return runHandler(setupTargetsRun, {
    async step({ kind: index, after, done }, store, { input: { installation, targets, position, selected } }) {
      requireLive(store, [installationReach]);
      const [kind, reach] = [targets[index], await store.read(installationReach).byId(installation)];
      if (kind === undefined || reach === null) return { done: null, progress: { done } };
      const next = await nextOf(store, reach, { kind, selected, after });
      const { organization, integration } = reach;
      const told = selected ? { type: setupOf(kind), before: null } : { type: deletedOf(kind) };
      const planned = next.map((id) => {
        const target = { kind, id };
        return deliveryOf({ installation, integration, organization, target, ...told }, position, context.now());
      });
      // What has come since is told by itself.
      const later = await toldLater(context, planned);
      await insertDeliveries(
        context,
        planned.filter(({ target }) => target !== null && !later.has(target.id)),
      );
      const last = next.at(-1);
      if (last === undefined) return { next: { kind: index + 1, after: '', done }, progress: { done } };
      return { next: { kind: index, after: last, done: done + next.length }, progress: { done: done + next.length } };
    },
  });
}
