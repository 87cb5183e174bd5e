import * as z from 'zod';
import { Id, Url } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { Collection } from '../library/collection.js';
import { Page } from '../shapes/page.js';
import { Space } from '../library/space.js';

/** What an address of the application is of. */
export const ContentByUrl = z
  .union([
    z.object({ collection: Collection }),
    z.object({
      space: Space,
      changeRequest: z.object({ object: z.literal('change-request'), id: Id }).optional(),
      page: Page.optional().meta({ description: 'Without its document and the pages in it.' }),
    }),
  ])
  .meta({ id: 'ContentByUrl' });
export type ContentByUrl = z.input<typeof ContentByUrl>;

export const getContentByUrl = operation({
  service: 'content',
  tag: 'Spaces',
  id: 'getContentByUrl',
  method: 'GET',
  path: '/urls/content',
  summary: 'Get the space, change request, page or collection that an address of the application is of',
  access: {
    scope: 'space:read',
    resource: 'address',
    view: ['anyone'],
    allow: ['anyone'],
    // What is found there is shown to whoever may see it.
    withinOrganization: true,
  },
  query: z.object({
    url: Url.meta({ description: 'As `urls.app` of resources; behind it, the id or path of a page.' }),
  }),
  response: ContentByUrl,
  reasons: ['not_found'],
});
