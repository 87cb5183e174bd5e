import { installationStatus, installedIntegrations, reachedSince } from '@scriptorium/access';
import { integrationImageUrl, type Scope } from '@scriptorium/platform';
import { integrationBlocks, replaceBlocks, type Block, type Data, type RichDocument } from '@scriptorium/rich-text';
import { textIn } from '@scriptorium/rich-text/reading';
import { integrationManifests, type IntegrationManifestDocument } from './integration-manifest.projection.js';

/** Where a document is read. What else it shows is added to `also`. */
export interface IntegrationPlace {
  organization: string;
  space: string;
  also: unknown[];
}

/** An integration that is installed on the space of a document. */
interface Installed extends IntegrationManifestDocument {
  id: string;
  version: number;
  isActive: boolean;
}

/**
 * The document with what integrations say of its blocks, in `data.resolved`: `null` for those of integrations that are
 * not installed on the space. `contentOrigin`: where files are served.
 */
export async function withIntegrations(
  scope: Pick<Scope, 'store'>,
  contentOrigin: string,
  { organization, space, also }: IntegrationPlace,
  document: RichDocument,
): Promise<RichDocument> {
  const blocks = integrationBlocks(document);
  if (blocks.length === 0) return document;
  const named = new Set(blocks.map(({ data }) => textIn(data, 'integration')));
  const installed = (await installedOn(scope, organization, space)).filter(({ name }) => named.has(name));
  also.push(installed);
  const byName = new Map(installed.map((one) => [one.name, one]));
  return replaceBlocks(document, (block) => {
    if (block.type !== 'integration') return undefined;
    const found = byName.get(textIn(block.data, 'integration'));
    return [{ ...block, data: { ...block.data, resolved: found ? shown(found, block, contentOrigin) : null } }];
  });
}

async function installedOn({ store }: Pick<Scope, 'store'>, organization: string, space: string): Promise<Installed[]> {
  const all = await installedIntegrations(store, organization);
  const here = all.filter(({ reach }) => reachedSince(reach, { kind: 'space', id: space }) !== null);
  if (here.length === 0) return [];
  const manifests = await store.read(integrationManifests).byIds(here.map(({ reach }) => reach.integration));
  const known = new Map(manifests.map((manifest) => [manifest._id, manifest]));
  return here.flatMap(({ reach, integration }) => {
    const found = known.get(reach.integration);
    if (found === undefined) return [];
    const { _id: id, name, title, description, icon, blocks, frames } = found;
    const isActive = installationStatus(reach, integration) === 'active';
    return [{ id, name, title, description, icon, blocks, frames, version: integration.version, isActive }];
  });
}

function shown(integration: Installed, { data }: Block, contentOrigin: string): Data {
  const { id, name, title, version, icon, blocks, frames, isActive } = integration;
  const component = blocks.find((one) => one.id === textIn(data, 'block'));
  const description = component?.description ?? integration.description;
  return {
    title: component?.title ?? title,
    ...(description === '' ? {} : { description }),
    ...(icon === null ? {} : { icon: integrationImageUrl(contentOrigin, id, icon) }),
    integration: { name, title, version },
    // A paused integration, or one that waits for a setting, shows nothing of its own.
    ...(isActive && component !== undefined ? { component: component.id, frames: [...frames] } : {}),
  };
}
