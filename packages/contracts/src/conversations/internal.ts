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
