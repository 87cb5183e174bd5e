import { ServiceAccess } from '@scriptorium/access';
import {
  createChangeRequestForIssuesCluster,
  invalid,
  lacksLevel,
  roleAtLeast,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import { viewSpace } from '../spaces/index.js';
import { createInSpace } from './create-change-request.process.js';
import { clusterText, describeCluster } from './cluster-text.process.js';
import { getRequest } from './list/change-requests.queries.js';
import { withinOpenQuota } from './list/open-quota.queries.js';

/** Change requests for clusters of issues. */
@Controller()
export class ClusterChangeRequestsController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(createChangeRequestForIssuesCluster)
  async create({ params, body }: InputOf<typeof createChangeRequestForIssuesCluster>, call: Call) {
    const { organizationId: organization, clusterId } = params;
    const cluster = await describeCluster(call, { organization, cluster: clusterId });
    const space = await this.requireEditable(call, organization, body.space);
    const { subject, description } = await clusterText(call, cluster);
    const id = call.idFor('change-request');
    const given = { subject: body.subject ?? subject, description, conversationsIssuesCluster: cluster.id };
    const { text, made } = await withinOpenQuota(call, { space, id }, () => createInSpace(call, { space, id }, given));
    return readAfterCreate(call, () => getRequest(call, space, id, call.store.dry ? { text, made } : {}));
  }

  /** The space that the body names. @throws AppError naming it: `invalid_request` for none, and `forbidden` */
  private async requireEditable(call: Call, organization: string, id: string): Promise<string> {
    const space = await viewSpace(call, this.access, call.principal, id);
    if (space?.organization !== organization || space.isDeleted || space.level === null)
      throw invalid('body.space', 'Is no space of this organization');
    if (!roleAtLeast(space.level, 'edit')) throw lacksLevel('edit', 'space', 'body.space');
    return id;
  }
}
