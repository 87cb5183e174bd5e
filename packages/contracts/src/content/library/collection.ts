import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { DefaultLevel } from './space.js';

export const Collection = z
  .object({
    object: z.literal('collection'),
    id: Id,
    title: z.string(),
    description: z.string().optional(),
    organization: Id,
    parent: Id.optional().meta({ description: 'The collection that it is in.' }),
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
