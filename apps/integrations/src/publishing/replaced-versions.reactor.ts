import { reactor, type Reactor, type TimerHandler } from '@scriptorium/event-sourcing';
import { requireLive, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { keptForMs, secrets } from '../sealed/index.js';
import type { AssetStore } from './asset-store.process.js';
import { integrationEvents } from './integration.events.js';
import { integrations } from './integration.projection.js';
import { assetsOf } from './publish.process.js';

/** The command of the timers that remove what a replaced version had. */
export const sweepVersionsCommand = 'sweep_integration_versions';

const Swept = z.object({ integration: z.string(), secrets: z.string().nullable() });

/** What a version has that is replaced is removed when nothing can need it any more. */
export const replacedVersionsReactor: Reactor = reactor({
  name: 'replaced_integration_versions',
  entities: ['integration'],
  events: [integrationEvents.pick('IntegrationPublished')],
  react: async ({ entityId: id, data: { version, organization, replacedSecrets }, meta }, store) => {
    if (version === 1) return;
    await store.in(organization).schedule({
      id: `${sweepVersionsCommand}:${id}:${version}`,
      // A moment later than what was noted at the time.
      at: Date.parse(meta.time) + keptForMs + 60_000,
      command: sweepVersionsCommand,
      data: { integration: id, secrets: replacedSecrets },
    });
  },
});

export function sweepVersionsTimer(context: Pick<ServiceContext, 'database'>, assets: AssetStore): TimerHandler {
  return async ({ data, at }, store) => {
    const { integration: owner, secrets: version } = Swept.parse(data);
    requireLive(store, [integrations]);
    const doc = await store.read(integrations).byId(owner);
    // Everything of an unpublished one is removed elsewhere.
    if (doc === null) return;
    await assets.sweep(owner, { before: at - keptForMs, used: assetsOf(doc) });
    if (version !== null && version !== doc.secrets) await secrets.drop(context, [{ owner, version }]);
  };
}
