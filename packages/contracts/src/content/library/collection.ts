import * as z from 'zod';
import { Id, Timestamp } from '../../kernel/common.js';
import { DefaultLevel } from './space.js';

export const Collection = z
  .object({
    object: z.literal('collection'),
    id: Id,
    title: z.string(),
    description: z.string().optional(),
    organization: Id,
    parent: Id.optional().meta({ description: 'The collection that it is in.' }),
    deletedAt: Timestamp.optional().meta({ description: 'Only in the list of what was deleted.' }),
    purgeAt: Timestamp.optional().meta({
      description: 'When a deleted collection is removed for good. Until then its spaces can be restored, one by one.',
    }),
    defaultLevel: DefaultLevel,
    urls: z.object({ location: z.url(), app: z.url() }),
    permissions: z.object({
      view: z.boolean(),
      admin: z.boolean(),
      viewInviteLinks: z.boolean(),
      create: z.boolean(),
    }),
  })
  .meta({ id: 'Collection' });
export type Collection = z.output<typeof Collection>;
