import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { GitObject } from './page-fields.js';

/** A file of a space. */
export const ContentFile = z
  .object({
    id: Id,
    name: z.string(),
    contentType: z.string(),
    size: z.int().min(0).meta({ description: 'In bytes.' }),
    downloadURL: z.url().meta({ description: 'For one hour, unless the file is published.' }),
    dimensions: z
      .object({ width: z.number(), height: z.number() })
      .optional()
      .meta({ description: 'Of an image, in pixels.' }),
    git: GitObject.optional(),
  })
  .meta({ id: 'ContentFile' });
export type ContentFile = z.output<typeof ContentFile>;
