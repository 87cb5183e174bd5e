import { defineDomain } from '@scriptorium/platform';
import { integrationManifests } from './integration-manifest.projection.js';

/** What integrations say of the blocks that documents have of them. */
export const integrationBlocks = defineDomain({ name: 'integration_blocks', projections: [integrationManifests] });
