import * as z from 'zod';
import { Id } from '../kernel/common.js';
import { internalOperation } from '../kernel/operation.js';

/**
 * Which of these are clusters of an organization. `ids`: the living cluster, and all that were merged into it, so that
 * what was linked with one of them is found. Unknown ones are omitted.
 */
export const findIssuesClusters = internalOperation({
  id: 'findIssuesClusters',
  service: 'conversations',
  input: z.object({ organization: Id, clusters: z.array(Id).max(100) }),
  response: z.object({ found: z.array(z.object({ cluster: Id, ids: z.array(Id) })) }),
});

/**
 * What a cluster is about, for texts that are made of it: its label, and the titles of its newest issues, in which
 * personal data is masked. `null` for what is no cluster of the organization; one that was merged is the living one.
 */
export const describeIssuesCluster = internalOperation({
  id: 'describeIssuesCluster',
  service: 'conversations',
  input: z.object({ organization: Id, cluster: Id, titles: z.int().min(1).max(100) }),
  response: z.object({
    cluster: z
      .object({
        id: Id,
        label: z.string(),
        issues: z.int().min(0),
        conversations: z.int().min(0),
        titles: z.array(z.string()),
      })
      .nullable(),
  }),
});
