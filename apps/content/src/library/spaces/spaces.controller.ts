import { ServiceAccess } from '@scriptorium/access';
import {
  copySpace,
  createSpace,
  duplicateSpace,
  getSpaceById,
  listSpacesForOrganizationMember,
  listSpacesInCollectionById,
  listSpacesInOrganizationById,
  lookupSpaces,
  moveSpace,
  type InputOf,
  type Principal,
} from '@scriptorium/contracts';
import { CachedResponse, Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { moveNode, requireCreate, requireNode, requirePlace } from '../nodes/index.js';
import { onePage, ContentObjects, readTemplate } from '../../versions/index.js';
import { copyForCaller, duplicate } from './creation/duplicate-space.process.js';
import { createInLibrary } from './creation/create-space.process.js';
import { listMemberSpaces } from './listing/member-spaces.queries.js';
import { getShownSpace, getSpace, listSpaces, lookupSpaces as findSpaces } from './listing/spaces.queries.js';

@Controller()
export class SpacesController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly objects: ContentObjects,
  ) {}

  @Handles(listSpacesInOrganizationById)
  async list({ params, query }: InputOf<typeof listSpacesInOrganizationById>, call: Call) {
    const place = await requirePlace(call, this.access, params.organizationId);
    const filter = { ...query, operation: call.operation };
    // What can be restored depends on the time, too.
    if (query.deleted) return listSpaces(call, this.access, place, filter);
    return call.cached({ of: [params, query, place] }, (scope) => listSpaces(scope, this.access, place, filter));
  }

  @Handles(listSpacesInCollectionById)
  async listInCollection({ params, query }: InputOf<typeof listSpacesInCollectionById>, call: Call) {
    const { collectionId: collection } = params;
    const { place } = await requireNode(call, this.access, call.principal, collection);
    const filter = { ...query, operation: call.operation, collection };
    return call.cached({ of: [params, query, place] }, (scope) => listSpaces(scope, this.access, place, filter));
  }

  @Handles(listSpacesForOrganizationMember)
  async listOfMember({ params, query }: InputOf<typeof listSpacesForOrganizationMember>, call: Call) {
    const { organizationId: organization, userId: user } = params;
    const place = await this.access.placeIn(call, organization, { id: user });
    const filter = { ...query, organization, user, operation: call.operation };
    const isAdmin = call.access.role === 'admin';
    return call.cached({ of: [filter, place] }, (scope) =>
      listMemberSpaces(scope, this.access, { place, isShownToAdmin: isAdmin }, filter),
    );
  }

  @Handles(moveSpace)
  async move({ params, body }: InputOf<typeof moveSpace>, call: Call) {
    await moveNode(call, this.access, params.spaceId, body);
    return getSpace(call, this.access, call.principal, params.spaceId);
  }

  @Handles(createSpace)
  async create({ params, body = {} }: InputOf<typeof createSpace>, call: Call) {
    const { parent = null, empty, template, computedSource, ...settings } = body;
    const place = await requirePlace(call, this.access, params.organizationId);
    await requireCreate(call, this.access, place, { parent, field: 'body.parent' });
    const computed = computedSource && [{ operation: 'insert_computed', computed: computedSource } as const];
    const plain = { changes: computed ?? (empty === true ? [] : onePage) };
    const content = template === undefined ? plain : await readTemplate(template, 'body.template');
    const id = call.idFor('space');
    await createInLibrary(call, this.objects, id, { ...settings, parent, creator: place, content });
    return readAfterCreate(call, () => getSpace(call, this.access, call.principal, id));
  }

  @Handles(duplicateSpace)
  async duplicate({ params }: InputOf<typeof duplicateSpace>, call: Call) {
    const { id } = await duplicate(call, this.access, this.objects, params.spaceId);
    return readAfterCreate(call, () => getSpace(call, this.access, call.principal, id));
  }

  @Handles(getSpaceById)
  async get({ params, query }: InputOf<typeof getSpaceById>, call: Call) {
    const { principal } = call;
    return call.cached({ of: [params, query] }, async (scope) => {
      const { space, shows } = await getShownSpace(scope, this.access, principal, params.spaceId, query.shareKey);
      return CachedResponse.tagged(space, shows);
    });
  }

  @Handles(copySpace)
  async copy({ space }: z.output<(typeof copySpace)['input']>, call: Call<Principal | null>) {
    return copyForCaller(call, this.access, this.objects, space);
  }

  @Handles(lookupSpaces)
  async lookup({ ids }: z.output<(typeof lookupSpaces)['input']>, call: Call<Principal | null>) {
    return { items: await findSpaces(call, this.access, call.principal, ids) };
  }
}
