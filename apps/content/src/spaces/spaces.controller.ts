import { ServiceAccess, type Place } from '@scriptorium/access';
import {
  AppError,
  blaming,
  createSpace,
  getSpaceById,
  listSpacesInOrganizationById,
  lookupSpaces,
  roleAtLeast,
  type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call, type InternalCall } from '@scriptorium/platform';
import type * as z from 'zod';
import { viewNode } from '../library/index.js';
import { createInLibrary } from './create-space.process.js';
import { getSpace, listSpaces, lookupSpaces as findSpaces } from './spaces.queries.js';

@Controller()
export class SpacesController {
  constructor(private readonly access: ServiceAccess) {}

  @Handles(listSpacesInOrganizationById)
  async list({ params, query }: InputOf<typeof listSpacesInOrganizationById>, call: Call) {
    const place = await this.placeIn(call, params.organizationId);
    const filter = { ...query, operation: call.operation };
    return call.cached({ of: [params, query, place] }, (scope) => listSpaces(scope, this.access, place, filter));
  }

  @Handles(createSpace)
  async create({ params, body = {} }: InputOf<typeof createSpace>, call: Call) {
    const { parent = null, ...settings } = body;
    const place = await this.placeIn(call, params.organizationId);
    await this.requireCreate(call, place, parent);
    const id = call.idFor('space');
    await createInLibrary(call, id, { ...settings, parent, creator: place });
    return readAfterCreate(call, () => getSpace(call, this.access, call.principal, id));
  }

  @Handles(getSpaceById)
  async get({ params }: InputOf<typeof getSpaceById>, call: Call) {
    return call.cached({ of: params }, (scope) => getSpace(scope, this.access, call.principal, params.spaceId));
  }

  @Handles(lookupSpaces)
  async lookup({ ids }: z.output<(typeof lookupSpaces)['input']>, call: InternalCall) {
    return { items: await findSpaces(call, this.access, call.caller, ids) };
  }

  private async placeIn(call: Call, organization: string): Promise<Place> {
    const place = await this.access.placeIn(call, organization, call.principal);
    if (place === null) throw new AppError('not_found');
    return place;
  }

  /** `create` on the collection that something is put in, or in the organization. */
  private async requireCreate(call: Call, { organization, role }: Place, parent: string | null): Promise<void> {
    if (parent === null) {
      if (!roleAtLeast(role, 'create')) throw new AppError('forbidden');
      return;
    }
    const node = await viewNode(call, this.access, call.principal, parent);
    const isThere = node?.kind === 'collection' && node.organization === organization && node.deletedAt === null;
    if (!isThere || !roleAtLeast(node.level, 'read'))
      throw blaming('not_found', 'body.parent', 'There is no such collection');
    if (!roleAtLeast(node.level, 'create')) throw blaming('forbidden', 'body.parent');
  }
}
