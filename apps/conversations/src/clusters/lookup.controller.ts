import { findIssuesClusters, type Principal } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { findCluster } from './clusters.queries.js';
import { idsWithRequests } from './requests.queries.js';

/** What other services ask about clusters. */
@Controller()
export class ClusterLookupController {
  @Handles(findIssuesClusters)
  async find({ organization, clusters }: z.output<typeof findIssuesClusters.input>, call: Call<Principal | null>) {
    const found = await Promise.all(
      clusters.map(async (cluster) => {
        const living = await findCluster(call, { organizationId: organization, clusterId: cluster });
        if (living === null) return [];
        return [{ cluster, ids: [...new Set([cluster, ...(await idsWithRequests(call.store, living._id))])] }];
      }),
    );
    return { found: found.flat() };
  }
}
