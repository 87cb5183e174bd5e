import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { contentBounds } from '../bounds.js';
import { ContentReference } from './content-reference.js';

const References = z
  .record(z.string().min(1).max(128), ContentReference)
  .refine((named) => Object.keys(named).length <= contentBounds.templateReferences, {
    message: `At most ${contentBounds.templateReferences} references`,
  });

/** A template, and what it is filled with. */
export const TemplateUse = z.object({
  id: Id.meta({ description: 'Id of the template.' }),
  params: z
    .object({
      contentRefs: References.optional().meta({
        description: 'What the template points at, by the names that it has for them.',
      }),
    })
    .optional(),
});
