import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { PageReference } from '../shapes/page.js';

const base = {
  id: Id.meta({ description: 'By which it can be resolved.' }),
  kind: z.enum(['edit', 'delete', 'move', 'order']).meta({
    description:
      '`edit`: both changed the same; `delete`: one deleted what the other changed; `move`: both moved it, to different places; `order`: both put it in another order.',
  }),
};

/**
 * Something that a change request and the main content changed in ways that exclude each other. The change request
 * keeps its own version until the conflict is resolved.
 */
export const ContentConflict = z
  .discriminatedUnion('object', [
    z.object({
      object: z.literal('page-conflict'),
      ...base,
      page: PageReference,
      attribute: z.string().optional().meta({ description: 'The field of the page, if it is about one.' }),
      blocks: z
        .array(z.string())
        .optional()
        .meta({ description: 'Keys of the blocks of its document in which both versions stand.' }),
    }),
    z.object({ object: z.literal('file-conflict'), ...base, file: z.object({ id: Id, name: z.string() }) }),
    z.object({
      object: z.literal('reusable-content-conflict'),
      ...base,
      reusableContent: z.object({ id: Id, title: z.string() }),
      blocks: z.array(z.string()).optional(),
    }),
    z.object({ object: z.literal('variable-conflict'), ...base, variable: z.string(), page: PageReference.optional() }),
  ])
  .meta({ id: 'ContentConflict' });
export type ContentConflict = z.output<typeof ContentConflict>;
