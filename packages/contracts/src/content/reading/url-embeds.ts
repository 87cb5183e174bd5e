import * as z from 'zod';
import { readerTokens } from '../../kernel/access.js';
import { Id, Url } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';

/** What a link to an address shows of it. */
export const UrlEmbed = z
  .object({
    type: z.literal('link').meta({ description: 'Other types may follow, which show more.' }),
    title: z.string(),
    site: z.string().meta({ description: 'What the site is called, otherwise its host.' }),
    icon: z.url().optional(),
  })
  .meta({ id: 'UrlEmbed' });
export type UrlEmbed = z.output<typeof UrlEmbed>;

const base = {
  service: 'content',
  tag: 'Spaces',
  method: 'GET',
  query: z.object({ url: Url.meta({ description: 'A public address.' }) }),
  response: UrlEmbed,
  reasons: ['bad_gateway'],
} as const;

export const getEmbedByUrl = operation({
  ...base,
  id: 'getEmbedByUrl',
  path: '/urls/embed',
  summary: 'Get what a link to an address shows of it',
  access: {
    tokens: readerTokens,
    scope: 'space:read',
    resource: 'address',
    view: ['anyone'],
    allow: ['anyone'],
    // The same for everyone.
    withinOrganization: true,
  },
});

export const getEmbedByUrlInSpace = operation({
  ...base,
  id: 'getEmbedByUrlInSpace',
  path: '/spaces/{spaceId}/embed',
  summary: 'Get what a link in a space shows of an address',
  access: { tokens: readerTokens, scope: 'space:read', resource: 'space', view: ['read'], allow: ['read'] },
  params: z.object({ spaceId: Id }),
});
