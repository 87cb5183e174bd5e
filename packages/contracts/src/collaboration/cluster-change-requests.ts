import * as z from 'zod';
import { ChangeRequest } from '../change-requests/change-request.js';
import { Id } from '../kernel/common.js';
import { operation } from '../kernel/operation.js';
import { Subject } from './change-requests.js';

/** Creates what `createChangeRequest` creates, so that it is here and not where clusters are. */
export const createChangeRequestForIssuesCluster = operation({
  id: 'createChangeRequestForIssuesCluster',
  service: 'collaboration',
  tag: 'Conversations',
  method: 'POST',
  path: '/orgs/{organizationId}/conversations-clusters/{clusterId}/change-requests',
  summary: 'Create a change request for a cluster of issues, as a draft that lists its newest ten issues',
  access: { scope: 'space:write', resource: 'organization', view: ['read'], allow: ['read'] },
  params: z.object({ organizationId: Id, clusterId: Id }),
  body: z.object({
    space: Id.meta({ description: 'The space that is to be changed. The caller must be allowed to edit it.' }),
    subject: Subject.optional().meta({ description: 'The label of the cluster, unless given.' }),
  }),
  response: ChangeRequest,
  status: 201,
  reasons: ['limit_reached', 'space_read_only'],
});
