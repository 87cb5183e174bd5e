import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { Collection } from './collection.js';
import { Space } from './space.js';

/** A space or collection beside which something is put. */
const Sibling = z.discriminatedUnion('type', [
  z.object({ type: z.literal('space'), space: Id }),
  z.object({ type: z.literal('collection'), collection: Id }),
]);

const body = z
  .object({
    parent: Id.nullable()
      .optional()
      .meta({ description: 'The collection to put it in, `null` for the top; where it is unless given.' }),
    position: z
      .object({ before: Sibling.optional(), after: Sibling.optional() })
      .optional()
      .meta({ description: 'Directly before or after something that stands there; at the end unless given.' }),
  })
  .refine(
    ({ parent, position: { before, after } = {} }) => (parent ?? before ?? after) !== undefined || parent === null,
    {
      path: ['parent'],
      message: 'A parent or a position has to be given',
    },
  );

const base = {
  service: 'content',
  method: 'POST',
  body,
  reasons: ['position_invalid', 'no_change'],
} as const;
const access = { scope: 'space:write', view: ['read'], allow: ['create'] } as const;

export const moveSpace = operation({
  ...base,
  id: 'moveSpace',
  tag: 'Spaces',
  path: '/spaces/{spaceId}/move',
  summary: 'Move a space to another place, or into another collection',
  access: { ...access, resource: 'space' },
  params: z.object({ spaceId: Id }),
  response: Space,
});

export const moveCollection = operation({
  ...base,
  id: 'moveCollection',
  tag: 'Collections',
  path: '/collections/{collectionId}/move',
  summary: 'Move a collection, with everything in it, to another place or into another collection',
  access: { ...access, resource: 'collection' },
  params: z.object({ collectionId: Id }),
  response: Collection,
});
