import { defineDomain } from '@scriptorium/platform';
import { clusterDocuments } from './cluster.projection.js';
import { clusterRequests } from './cluster-request.projection.js';
import { issues } from './issue.projection.js';
import { ClusterLookupController } from './lookup.controller.js';

/** Issues and the clusters that they are in. */
export const clusters = defineDomain({
  name: 'clusters',
  controllers: [ClusterLookupController],
  projections: [issues, clusterDocuments, clusterRequests],
});
