import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { Space } from './space.js';

export const duplicateSpace = operation({
  service: 'content',
  tag: 'Spaces',
  id: 'duplicateSpace',
  method: 'POST',
  path: '/spaces/{spaceId}/duplicate',
  summary: 'Make a copy of a space and its content beside it, without history and grants',
  // `create` is needed where the copy comes to stand, too.
  access: { scope: 'space:write', resource: 'space', view: ['read'], allow: ['create'] },
  params: z.object({ spaceId: Id }),
  response: Space,
  status: 201,
  reasons: ['limit_reached'],
});
