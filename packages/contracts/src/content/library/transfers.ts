import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { Collection } from './collection.js';
import { Space } from './space.js';

const body = z.object({
  organization: Id.meta({
    description: 'The organization that gets it. The caller has to be a member who may create there.',
  }),
  parent: Id.nullable()
    .optional()
    .meta({ description: 'The collection of that organization to put it in; `null`, or unless given, its top.' }),
});

const base = {
  service: 'content',
  method: 'POST',
  body,
  reasons: ['position_invalid', 'no_change', 'limit_reached', 'cannot_move'],
} as const;
/** What is needed in the other organization depends on the body, which no path names: `create` there. */
const access = { scope: 'space:write', view: ['read'], allow: ['organization_admin'] } as const;

export const transferSpace = operation({
  ...base,
  id: 'transferSpace',
  tag: 'Spaces',
  path: '/spaces/{spaceId}/transfer',
  summary: 'Transfer a space to another organization, without what was granted on it',
  access: { ...access, resource: 'transferred_space' },
  params: z.object({ spaceId: Id }),
  response: Space,
});

export const transferCollection = operation({
  ...base,
  id: 'transferCollection',
  tag: 'Collections',
  path: '/collections/{collectionId}/transfer',
  // Thousands of spaces may go at once.
  deadlineMs: 30_000,
  summary: 'Transfer a collection, with everything in it, to another organization, without what was granted on it',
  access: { ...access, resource: 'transferred_collection' },
  params: z.object({ collectionId: Id }),
  response: Collection,
});
