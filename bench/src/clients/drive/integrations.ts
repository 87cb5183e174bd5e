import { compressLz } from '@scriptorium/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { idOf, textAt } from '../official.js';
import type { World } from '../world.js';
import type { Written } from './content.js';

/** Shows an empty block, whatever it is asked for. */
const script = `const shown = { type: 'element', element: { type: 'block', children: [] }, state: {}, props: {} };
export default { async fetch() { return Response.json(shown); } };`;
/** A picture of one pixel. */
const icon = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const property = (title: string) => ({ properties: { channel: { type: 'string', title } }, required: ['channel'] });

/** Integrations: what is published, where it is installed, and how it is configured. */
export async function driveIntegrations(world: World, { space }: Written): Promise<void> {
  const { call, organization } = world;
  const name = `slack-${organization.slice(0, 8)}`;
  const publication = {
    runtime: 'v1',
    title: 'Slack',
    icon,
    description: 'Tells a channel what happens',
    summary: 'Tells *a channel* what happens.',
    previewImages: [icon],
    scopes: ['space:content:read', 'site:views:read'],
    categories: ['collaboration'],
    visibility: 'public',
    target: 'all',
    blocks: [{ id: 'message', title: 'A message', urlUnfurl: ['https://*.slack.com/**'] }],
    contentSources: [],
    configurations: { account: property('Channel'), space: property('Channel'), site: property('Channel') },
    externalLinks: [{ url: 'https://example.org/slack', label: 'Manual' }],
    secrets: { CLIENT_SECRET: 'secret' },
    contentSecurityPolicy: { 'default-src': "'self'" },
    script,
    organization,
  };
  await call('publishIntegration', name, publication);
  await call('publishIntegration', name, { ...publication, title: 'Slack bot' });
  await call('getIntegrationByName', name);
  await call('listIntegrations', { search: name, limit: 10 });
  await call('listIntegrations', { owner: organization, blockDomain: 'slack.com', blocks: true, target: 'all' });
  await call('listOrganizationIntegrations', organization, { owner: organization, category: 'collaboration' });
  const installation = idOf(await call('installIntegration', name, { organization }));
  const at = [name, installation] as const;
  await call('updateIntegrationInstallation', ...at, { configuration: { channel: 'general' }, externalIds: ['T1'] });
  await call('getIntegrationInstallationById', ...at);
  await call('listIntegrationInstallations', name, { externalId: 'T1' });
  await onPlaces(world, { at, space });
  await call('getIntegrationEvent', name, await firstEvent(world, name));
  await call('updateIntegrationInstallation', ...at, { space_selection: 'all', site_selection: 'all' });
  await rendered(world, { name, space });
  await call('listOrganizationInstallations', organization, { search: 'slack' });
  await call('listOrganizationIntegrationsStatus', organization, {});
  await call('getOrganizationIntegrationStatus', organization, name);
  await call('setIntegrationDevelopmentMode', name, { tunnelUrl: 'https://tunnel.example.com', all: false });
  await call('disableIntegrationDevelopmentMode', name);
  await call('uninstallIntegration', ...at);
  await call('uninstallIntegration', ...at);
  await call('unpublishIntegration', name);
  await call('unpublishIntegration', name);
}

async function rendered({ call }: World, { name, space }: { name: string; space: string }): Promise<void> {
  const context = { type: 'document', theme: 'light', spaceId: space, editable: false };
  const request = { componentId: 'card', props: {}, context };
  await call('renderIntegrationUIWithPost', name, request);
  await call('renderIntegrationUIWithGet', name, { request: compressLz(JSON.stringify(request)) });
}

/** An event is planned in a moment, whether or not a script is there to get it. */
async function firstEvent({ call }: World, name: string): Promise<string> {
  const until = performance.now() + 20_000;
  for (;;) {
    const listed = await call('listIntegrationEvents', name, { limit: 1 });
    if (performance.now() > until || !JSON.stringify(listed).includes('"items":[]'))
      return textAt(listed, 'items.0.id');
    await delay(50);
  }
}

async function onPlaces(
  { call, organization }: World,
  { at, space }: { at: readonly [string, string]; space: string },
): Promise<void> {
  const site = textAt(await call('listSites', organization, { limit: 1 }), 'items.0.id');
  const configured = { configuration: { channel: 'news' }, externalIds: ['C1'] };
  await call('installIntegrationOnSpace', ...at, { space });
  await call('updateIntegrationSpaceInstallation', ...at, space, configured);
  await call('getIntegrationSpaceInstallation', ...at, space, { extended: true });
  await call('listIntegrationInstallationSpaces', ...at, { extended: true });
  await call('listIntegrationSpaceInstallations', at[0], { externalId: 'C1', extended: false });
  await call('installIntegrationOnSite', ...at, { siteId: site });
  await call('updateIntegrationSiteInstallation', ...at, site, configured);
  await call('getIntegrationSiteInstallation', ...at, site, {});
  await call('listIntegrationInstallationSites', ...at, {});
  await call('listIntegrationSiteInstallations', at[0], { extended: true });
  await call('uninstallIntegrationFromSpace', ...at, space);
  await call('uninstallIntegrationFromSpace', ...at, space);
  await call('uninstallIntegrationFromSite', ...at, site);
  await call('uninstallIntegrationFromSite', ...at, site);
}
