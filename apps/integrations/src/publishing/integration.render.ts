import {
  referTo,
  unavailableIntegrationScopes,
  type Integration,
  type IntegrationConfigurations,
} from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Addresses } from '../addresses/index.js';
import type { Published } from './integration.events.js';

/** An integration as it is answered. `admin`: whether the caller is an admin of its owner. */
export function renderIntegration(doc: Stored<Published>, addresses: Addresses, admin: boolean): Integration {
  const { _id: id, name, version, title, description, summary, icon, previews, scopes } = doc;
  const unavailable = scopes.filter((scope) => unavailableIntegrationScopes.has(scope));
  const { target, visibility, categories, blocks, contentSources, externalLinks } = doc;
  return {
    object: 'integration',
    name,
    version,
    title,
    ...(description === '' ? {} : { description }),
    ...(summary === '' ? {} : { summary }),
    previewImages: previews.map((one) => addresses.image(id, one)),
    target,
    // Nobody verifies publishers yet.
    verified: false,
    visibility,
    scopes: [...scopes],
    ...(unavailable.length === 0 ? {} : { unavailableScopes: unavailable }),
    categories: [...categories],
    blocks: [...blocks],
    contentSources: [...contentSources],
    configurations: doc.configurations as IntegrationConfigurations,
    externalLinks: [...externalLinks],
    owner: referTo('organization', doc.organization),
    urls: {
      ...addresses.integration(name),
      ...(icon === null ? {} : { icon: addresses.image(id, icon) }),
      assets: addresses.assets(id),
      ...addresses.endpoints(name),
    },
    permissions: { admin },
    ...(doc.contentSecurityPolicy === null ? {} : { contentSecurityPolicy: doc.contentSecurityPolicy }),
  };
}
