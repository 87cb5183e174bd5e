import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';

/** An address from which the content of a space can be fetched. */
export const SpaceExport = z
  .object({
    url: z
      .url()
      .meta({ description: 'A zip, for at least an hour. It needs no token: whoever has the address has it.' }),
  })
  .meta({ id: 'SpaceExport' });

export const exportSpace = operation({
  service: 'content',
  tag: 'Import and export',
  id: 'exportSpace',
  method: 'GET',
  path: '/spaces/{spaceId}/export',
  summary: 'Get the address of a zip with the pages, files and variables of a space, as markdown',
  access: { scope: 'space:read', resource: 'space', view: ['read'], allow: ['read'] },
  params: z.object({ spaceId: Id }),
  response: SpaceExport,
});
