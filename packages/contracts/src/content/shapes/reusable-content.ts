import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { RichDocument } from '../../kernel/rich-document.js';
import { GitObject } from './page-fields.js';

/** Content that several pages show, as lists contain it. */
export const ReusableContent = z
  .object({ id: Id, title: z.string(), git: GitObject.optional() })
  .meta({ id: 'ReusableContent' });
export type ReusableContent = z.output<typeof ReusableContent>;

/** One reusable content with its document; in both forms unless one was asked for. */
export const ReusableContentWithDocument = z
  .object({
    ...ReusableContent.shape,
    document: Id.meta({ description: 'Of its document.' }),
    markdown: z.string().optional(),
    content: RichDocument.optional().meta({ description: 'Its document.' }),
  })
  .meta({ id: 'ReusableContentWithDocument' });
export type ReusableContentWithDocument = z.output<typeof ReusableContentWithDocument>;
