import { createGateway, createRecentWrites } from '@scriptorium/gateway';
import { create as createIdentity } from '@scriptorium/identity';
import { settings as identitySettings } from '@scriptorium/identity/settings';
import { startDyingRig as startRig, type DyingRig } from '@scriptorium/testing/dying-rig';
import { asOneClient } from '@scriptorium/testing/own-rig';
import { create } from '../create.js';
import { settings } from '../settings.js';

export type { DyingRig };

const main = new URL('../../dist/main.js', import.meta.url);

/**
 * A rig whose two replicas of conversations are processes, which die once at each point. The workspace must have been
 * built.
 */
export const startDyingRig = (points: readonly string[], variables: Record<string, string> = {}): Promise<DyingRig> =>
  startRig(
    {
      services: [
        { name: 'conversations', create, settings },
        { name: 'identity', create: createIdentity, settings: identitySettings },
      ],
      startGateway: (defaults) => createGateway(defaults, { recentWrites: asOneClient(createRecentWrites()) }),
      variables,
    },
    { main, points },
  );
