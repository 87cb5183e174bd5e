import { createGateway, createRecentWrites } from '@scriptorium/gateway';
import { create as createIdentity } from '@scriptorium/identity';
import { settings as identitySettings } from '@scriptorium/identity/settings';
import { asOneClient, startOwnRig, type OwnRig } from '@scriptorium/testing/own-rig';
import { create } from '../create.js';
import { settings } from '../settings.js';

export { eventually } from '@scriptorium/testing';
export type { OwnRig as Rig } from '@scriptorium/testing/own-rig';

/** The gateway, conversations and identity over the three servers, in a namespace of their own, spoken to by HTTP. */
export function startRig(variables: Record<string, string> = {}): Promise<OwnRig> {
  return startOwnRig({
    services: [
      { name: 'conversations', create, settings },
      { name: 'identity', create: createIdentity, settings: identitySettings },
    ],
    startGateway: (defaults) => createGateway(defaults, { recentWrites: asOneClient(createRecentWrites()) }),
    variables,
  });
}
