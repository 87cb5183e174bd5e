import { ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  createChangeRequest,
  getChangeRequestById,
  listChangeRequestsForOrganization,
  listChangeRequestsForSpace,
  listContributorsInChangeRequest,
  lookupChangeRequests,
  lookupSpacesOnSite,
  updateChangeRequestById,
  type InputOf,
  type Principal,
} from '@scriptorium/contracts';
import { ask, Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { requireSpace } from '../spaces/index.js';
import { getRequest, listRequests, lookUpRequests, requireRequest } from './list/change-requests.queries.js';
import { idsOfCluster } from './list/clusters.queries.js';
import { listContributors } from './contributors/contributors.queries.js';
import { createInSpace } from './create-change-request.process.js';
import { isUnfinished, withinOpenQuota } from './list/open-quota.queries.js';
import { updateRequest } from './update-change-request.process.js';

@Controller()
export class ChangeRequestsController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(listChangeRequestsForSpace)
  async list({ params, query }: InputOf<typeof listChangeRequestsForSpace>, call: Call) {
    const { spaceId: space } = params;
    const clusters = await idsOfCluster(call, query.conversationsIssuesCluster);
    return call.cached({ of: [params, query, clusters] }, async (scope) => {
      const { organization } = await requireSpace(scope, this.access, call.principal, space);
      return listRequests(scope, { organization, space }, { ...query, clusters, operation: call.operation });
    });
  }

  @Handles(listChangeRequestsForOrganization)
  async listAll({ params, query }: InputOf<typeof listChangeRequestsForOrganization>, call: Call) {
    const { organizationId: organization } = params;
    const { site, space } = query;
    // The spaces are read first and are part of the cache key: a site can change without an event of this service.
    const onSite = site === undefined ? undefined : new Set(await spacesOnSite(call, { organization, site }));
    const clusters = await idsOfCluster(call, query.conversationsIssuesCluster);
    return call.cached({ of: [params, query, [...(onSite ?? [])], clusters] }, async (scope) => {
      const place = await this.access.placeIn(scope, organization, call.principal);
      if (place === null) throw new AppError('not_found');
      const { nodes, member } = await this.access.viewerAt(scope, place);
      const { spaces: visible } = nodes.visibleTo(member);
      const spaces = visible.filter((id) => (space ?? id) === id && (onSite?.has(id) ?? true));
      return listRequests(scope, { organization, spaces }, { ...query, clusters, operation: call.operation });
    });
  }

  @Handles(createChangeRequest)
  async create({ params, body = {} }: InputOf<typeof createChangeRequest>, call: Call) {
    const { spaceId: space } = params;
    const id = call.idFor('change-request');
    const { text, made } = await withinOpenQuota(call, { space, id }, () => createInSpace(call, { space, id }, body));
    return readAfterCreate(call, () => getRequest(call, space, id, call.store.dry ? { text, made } : {}));
  }

  @Handles(getChangeRequestById)
  async get({ params }: InputOf<typeof getChangeRequestById>, call: Call) {
    const { spaceId, changeRequestId } = params;
    return call.cached({ of: params }, (scope) => getRequest(scope, spaceId, changeRequestId));
  }

  @Handles(lookupChangeRequests)
  async lookup({ ids }: z.output<(typeof lookupChangeRequests)['input']>, call: Call<Principal | null>) {
    return { items: await lookUpRequests(call, this.access, call.principal, ids) };
  }

  @Handles(updateChangeRequestById)
  async update({ params, body }: InputOf<typeof updateChangeRequestById>, call: Call) {
    const { spaceId, changeRequestId } = params;
    const space = await requireSpace(call, this.access, call.principal, spaceId);
    const doc = await requireRequest(call, spaceId, changeRequestId);
    const { _id: id } = doc;
    const update = () => updateRequest(call, space, id, body);
    const isOpened = !isUnfinished(doc) && body.status !== undefined && body.status !== 'archived';
    const text = isOpened ? await withinOpenQuota(call, { space: spaceId, id }, update) : await update();
    return getRequest(call, spaceId, id, { text });
  }

  @Handles(listContributorsInChangeRequest)
  async listContributors({ params, query }: InputOf<typeof listContributorsInChangeRequest>, call: Call) {
    const { spaceId, changeRequestId } = params;
    const { _id: id } = await requireRequest(call, spaceId, changeRequestId);
    return listContributors(call, id, { ...query, operation: call.operation });
  }
}

async function spacesOnSite(call: Call, which: { organization: string; site: string }): Promise<string[]> {
  return (await ask(call, lookupSpacesOnSite, which)).spaces;
}
