import * as z from 'zod';
import { requestBounds } from '../../kernel/limits.js';
import { DocumentFormat } from '../../kernel/rich-document.js';

/** The query of every read of content. */
export const viewQuery = {
  metadata: z.boolean().default(true).meta({ description: '`false` leaves out `git`, which can change.' }),
  computed: z.boolean().default(true).meta({ description: '`false` leaves computed content as it is declared.' }),
};

export const shareKeyQuery = {
  shareKey: z
    .string()
    .max(128)
    .optional()
    .meta({ description: 'The key of a share link, for the published addresses of a site that needs one.' }),
};

/** The query of reads of one document. */
export const documentQuery = {
  format: DocumentFormat.optional().meta({ description: 'The form of the document; both forms unless given.' }),
  'format.markdown.refs': z
    .enum(['relative', 'stable'])
    .default('relative')
    .meta({ description: 'How markdown links to pages: by relative paths, or by ids.' }),
  evaluated: z
    .union([z.boolean(), z.literal('deterministic-only')])
    .default(false)
    .meta({
      description: 'Whether expressions and conditions are evaluated; those with deterministic inputs alone, or all.',
    }),
  dereferenced: z
    .union([z.boolean(), z.literal('reusable-contents')])
    .default(false)
    .meta({
      description:
        'Whether references are resolved; those to reusable contents alone, or all: `data.resolved` then tells what links and mentions lead to, in other spaces and of people as far as the caller may see them.',
    }),
};

/** The query of reads of what changed. */
export const changesQuery = {
  limit: z
    .int()
    .min(0)
    .max(requestBounds.pageSize)
    .default(10)
    .meta({ description: 'The most changes to answer; `more` says how many there are beyond them.' }),
  format: z
    .enum(['diff'])
    .optional()
    .meta({ description: '`diff` answers what changed in the texts, too: of at most `limit` documents, in `diffs`.' }),
};
