import { createGateway, createRecentWrites } from '@scriptorium/gateway';
import { create as createIdentity } from '@scriptorium/identity';
import { settings as identitySettings } from '@scriptorium/identity/settings';
import { asOneClient, startRig as startServices, type Rig } from '@scriptorium/testing';
import { create } from '../create.js';
import { settings } from '../settings.js';

export { eventually } from '@scriptorium/event-sourcing/testing';
export { type Answer, get, type Person, type Rig } from '@scriptorium/testing';

/** The gateway, content and identity over the three servers, in a namespace of their own, spoken to by HTTP. `variables`: further variables of the services' environment. */
export function startRig(variables: Record<string, string> = {}): Promise<Rig> {
  return startServices({
    services: [
      { name: 'content', create, settings },
      { name: 'identity', create: createIdentity, settings: identitySettings },
    ],
    startGateway: (defaults) => createGateway(defaults, { recentWrites: asOneClient(createRecentWrites()) }),
    variables,
  });
}
