import { createGateway, createRecentWrites } from '@scriptorium/gateway';
import { create as createContent } from '@scriptorium/content';
import { settings as contentSettings } from '@scriptorium/content/settings';
import { create as createIdentity } from '@scriptorium/identity';
import { settings as identitySettings } from '@scriptorium/identity/settings';
import { asOneClient, startOwnRig, type OwnRig } from '@scriptorium/testing/own-rig';
import { create } from '../create.js';
import { settings } from '../settings.js';

export { eventually, get, type Person } from '@scriptorium/testing';
export type { OwnRig as Rig } from '@scriptorium/testing/own-rig';

/**
 * The gateway, sites, content and identity over the three servers, in a namespace of their own, spoken to by HTTP.
 * `variables`: further variables of the services' environment.
 */
export function startRig(variables: Record<string, string> = {}): Promise<OwnRig> {
  return startOwnRig({
    services: [
      { name: 'sites', create, settings },
      { name: 'content', create: createContent, settings: contentSettings },
      { name: 'identity', create: createIdentity, settings: identitySettings },
    ],
    startGateway: (defaults) => createGateway(defaults, { recentWrites: asOneClient(createRecentWrites()) }),
    variables,
  });
}
