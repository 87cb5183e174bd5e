import { defineDomain } from '@scriptorium/platform';
import { clusterDocuments } from './cluster.projection.js';
import { issues } from './issue.projection.js';

/** Issues and the clusters that they are in. */
export const clusters = defineDomain({
  name: 'clusters',
  projections: [issues, clusterDocuments],
});
