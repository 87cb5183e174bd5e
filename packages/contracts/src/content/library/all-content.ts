import * as z from 'zod';
import { Id, listOf, paging } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { Collection } from './collection.js';
import { Space } from './space.js';

/** A space or a collection; `object` tells which. */
const SpaceOrCollection = z.discriminatedUnion('object', [Collection, Space]);

export const listAllContentInOrganizationById = operation({
  service: 'content',
  tag: 'Collections',
  id: 'listAllContentInOrganizationById',
  method: 'GET',
  path: '/orgs/{organizationId}/all-content',
  summary:
    'List the collections and spaces of an organization that the caller may view, each collection directly before what is in it',
  access: { scope: 'space:read', resource: 'organization', view: ['guest'], allow: ['guest'] },
  params: z.object({ organizationId: Id }),
  query: z.object(paging),
  response: listOf(SpaceOrCollection),
});
