import { organizationFacts } from '@scriptorium/access';
import { defineRun, runHandler, type RunHandler, type StoreScope } from '@scriptorium/event-sourcing';
import { requireLive, waitForProjections, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { dropTunnels } from '../dev-mode/index.js';
import { dropDelivered } from '../dispatch/index.js';
import { dropCallbacks } from '../endpoints/index.js';
import { installations, roster, uninstall } from '../installations/index.js';
import { isAnyQueued, lastIntegrations, type Planner } from '../outbox/index.js';
import { integration as integrationOf, remove, type AssetStore } from '../publishing/index.js';
import { secrets, tasks } from '../sealed/index.js';

/** Ends what is left of an integration that is not published any more. */
export const unpublishRun = defineRun({
  kind: 'unpublish_integration',
  input: z.object({ integration: z.string(), organization: z.string() }),
  state: z.object({
    ended: z.int(),
    /** All have ended by this position in the log, and scripts are told of it until then, ms. */
    telling: z.object({ position: z.int(), until: z.int() }).nullable().default(null),
  }),
  begin: () => ({ ended: 0, telling: null }),
  cancellable: false,
});

/** The number of installations that end in one step. */
const atOnce = 50;
/** How long scripts may take to be told that their installations have ended. */
const toldWithinMs = 10 * 60_000;

export interface UnpublishParts {
  context: ServiceContext;
  assets: AssetStore;
  planner: Planner;
  /** Whether there is a runtime; without one nobody is told. */
  hasRuntime: boolean;
}

export function unpublishHandler(parts: UnpublishParts): RunHandler {
  const { context } = parts;
  return runHandler(unpublishRun, {
    async step({ ended, telling }, store, { input: { integration, organization } }) {
      requireLive(store, [installations]);
      const left = await endSome(store, integration);
      const done = ended + left;
      const progress = { done };
      // The next step looks once the read model shows that these are gone.
      if (left > 0) return { next: { ended: done, telling: null }, progress, afterMs: 200 };
      if (parts.hasRuntime && telling === null) {
        const position = Number(await store.written(installations));
        return { next: { ended: done, telling: { position, until: context.now() + toldWithinMs } }, progress };
      }
      if (telling !== null && context.now() < telling.until && !(await areTold(parts, integration, telling.position)))
        return { next: { ended: done, telling }, progress, afterMs: 500 };
      await removeAll(parts, store, integration);
      await eraseOfDeleted(store, { integration, organization });
      return { done: null, progress };
    },
  });
}

/** Ends some installations; how many were left. */
async function endSome(store: StoreScope, integration: string): Promise<number> {
  const left = await store.read(installations).find({ integration }).limit(atOnce).toArray();
  for (const one of left)
    await store
      .in(one.organization)
      .step(one._id)
      .handle(roster, one.organization, (state) => uninstall(state, one._id, 'unpublished'));
  return left.length;
}

/** Whether nothing more is delivered to installations that have ended by a position in the log. */
async function areTold({ context, planner }: UnpublishParts, integration: string, position: number): Promise<boolean> {
  return (await planner.planned()) >= position && !(await isAnyQueued(context, integration));
}

/** Nothing is stored of it any more, and the read models forget it. */
async function removeAll({ context, assets }: UnpublishParts, store: StoreScope, integration: string): Promise<void> {
  await assets.dropAll(integration);
  await secrets.dropAll(context, { owner: integration });
  await tasks.dropAll(context, { owner: integration });
  await dropTunnels(context, integration);
  await dropCallbacks(context, { integration });
  await dropDelivered(context, { integration });
  const { position } = await store.step('removed').handle(integrationOf, integration, remove);
  await waitForProjections({ store }, { position, type: 'IntegrationRemoved' }, [lastIntegrations]);
}

/** The texts of an integration stay in the history of its owner, and go with it. */
async function eraseOfDeleted(
  store: StoreScope,
  { integration, organization }: { integration: string; organization: string },
): Promise<void> {
  const owner = await store.read(organizationFacts).byId(organization);
  if (owner?.deleted === true) await store.erase(integrationOf, integration);
}
