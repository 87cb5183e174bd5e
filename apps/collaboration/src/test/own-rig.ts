import { createGateway, createRecentWrites } from '@scriptorium/gateway';
import { create as createContent } from '@scriptorium/content';
import { settings as contentSettings } from '@scriptorium/content/settings';
import { create as createIdentity } from '@scriptorium/identity';
import { settings as identitySettings } from '@scriptorium/identity/settings';
import { create as createSites } from '@scriptorium/sites';
import { settings as sitesSettings } from '@scriptorium/sites/settings';
import { asOneClient, startOwnRig, type OwnRig, type RigService } from '@scriptorium/testing/own-rig';
import { create } from '../create.js';
import { settings } from '../settings.js';

export { eventually, get, type Person } from '@scriptorium/testing';
export type { OwnRig as Rig } from '@scriptorium/testing/own-rig';

const sites: RigService = { name: 'sites', create: createSites, settings: sitesSettings };

/**
 * The gateway, collaboration, content and identity over the three servers, in a namespace of their own, spoken to by HTTP. `variables`:
 * further variables of the services' environment.
 */
export function startRig(variables: Record<string, string> = {}, more: readonly RigService[] = []): Promise<OwnRig> {
  return startOwnRig({
    services: [
      { name: 'collaboration', create, settings },
      { name: 'content', create: createContent, settings: contentSettings },
      { name: 'identity', create: createIdentity, settings: identitySettings },
      ...more,
    ],
    startGateway: (defaults) => createGateway(defaults, { recentWrites: asOneClient(createRecentWrites()) }),
    variables,
  });
}
