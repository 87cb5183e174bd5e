import { create as createContent } from '@scriptorium/content';
import { settings as contentSettings } from '@scriptorium/content/settings';
import { createGateway, createRecentWrites } from '@scriptorium/gateway';
import { create as createIdentity } from '@scriptorium/identity';
import { settings as identitySettings } from '@scriptorium/identity/settings';
import { create as createSites } from '@scriptorium/sites';
import { settings as sitesSettings } from '@scriptorium/sites/settings';
import { asOneClient, startOwnRig, type OwnRig } from '@scriptorium/testing/own-rig';
import { create } from '../create.js';
import { settings } from '../settings.js';

export { eventually } from '@scriptorium/testing';
export type { OwnRig as Rig } from '@scriptorium/testing/own-rig';

/**
 * The gateway, integrations, sites, content and identity over the three servers, in a namespace of their own, spoken to
 * by HTTP.
 */
export function startRig(
  variables: Record<string, string> = {},
  createIntegrations: typeof create = create,
): Promise<OwnRig> {
  return startOwnRig({
    services: [
      { name: 'integrations', create: createIntegrations, settings },
      { name: 'sites', create: createSites, settings: sitesSettings },
      { name: 'content', create: createContent, settings: contentSettings },
      { name: 'identity', create: createIdentity, settings: identitySettings },
    ],
    startGateway: (defaults) => createGateway(defaults, { recentWrites: asOneClient(createRecentWrites()) }),
    variables,
  });
}
