import { organizationFacts } from '@scriptorium/access';
import { defineRun, runHandler, type RunHandler, type StoreScope } from '@scriptorium/event-sourcing';
import { requireLive, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { dropTunnel } from '../dev-mode/index.js';
import { installations, roster, uninstall } from '../installations/index.js';
import { integration as integrationOf, type AssetStore } from '../publishing/index.js';
import { secrets } from '../sealed/index.js';

/** Ends what is left of an integration that is not published any more. */
export const unpublishRun = defineRun({
  kind: 'unpublish_integration',
  input: z.object({ integration: z.string(), organization: z.string() }),
  state: z.object({ ended: z.int() }),
  begin: () => ({ ended: 0 }),
  cancellable: false,
});

/** The number of installations that end in one step. */
const atOnce = 50;

export function unpublishHandler(context: ServiceContext, assets: AssetStore): RunHandler {
  return runHandler(unpublishRun, {
    async step({ ended }, store, { input: { integration, organization } }) {
      requireLive(store, [installations]);
      const left = await store.read(installations).find({ integration }).limit(atOnce).toArray();
      for (const one of left)
        await store
          .in(one.organization)
          .step(one._id)
          .handle(roster, one.organization, (state) => uninstall(state, one._id, 'unpublished'));
      const done = ended + left.length;
      // The next step looks once the read model shows that these are gone.
      if (left.length > 0) return { next: { ended: done }, progress: { done }, afterMs: 200 };
      await assets.dropAll(integration);
      await secrets.dropAll(context, { owner: integration });
      await dropTunnel(context, integration);
      await eraseOfDeleted(store, { integration, organization });
      return { done: null, progress: { done } };
    },
  });
}

/** The texts of an integration stay in the history of its owner, and go with it. */
async function eraseOfDeleted(
  store: StoreScope,
  { integration, organization }: { integration: string; organization: string },
): Promise<void> {
  const owner = await store.read(organizationFacts).byId(organization);
  if (owner?.deleted === true) await store.erase(integrationOf, integration);
}
