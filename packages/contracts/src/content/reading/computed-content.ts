import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { RichDocument } from '../../kernel/rich-document.js';
import { ComputedDocument, ComputedSource } from '../shapes/computed.js';
import { readsContent } from './content-reads.js';
import { ContentFile } from '../shapes/file.js';
import { Page } from '../shapes/page.js';
import { ReusableContent } from '../shapes/reusable-content.js';

const Seed = z.string().min(1).max(128).optional().meta({
  description:
    'The `computedSeed` of the page that is shown. It tells which computed page of the space it is when several have the same source. The answer is made of what the source depends on now.',
});

/** What both operations have: their bodies are too large for a query. */
const computes = {
  ...readsContent,
  method: 'POST',
  kind: 'read',
  params: z.object({ spaceId: Id }),
  bodyLimit: 128 * 1024,
  // A script has 10 s.
  deadlineMs: 15_000,
  reasons: ['integration_failed', 'integration_timeout', 'integration_resting', 'runtime_unavailable'],
} as const;

export const getComputedDocument = operation({
  ...computes,
  id: 'getComputedDocument',
  path: '/spaces/{spaceId}/content/computed/document',
  summary: 'Compute the document of a page from its source, with the files of the main content of a space',
  body: z.object({ source: ComputedDocument, seed: Seed }),
  response: RichDocument,
});

export const getComputedRevision = operation({
  ...computes,
  id: 'getComputedRevision',
  path: '/spaces/{spaceId}/content/computed/revision',
  summary: 'Compute the pages that a source stands for, with the files of the main content of a space',
  body: z.object({ source: ComputedSource, seed: Seed }),
  response: z.object({
    pages: z.array(Page).meta({
      description:
        'Without their documents, which are computed by `computed` of each. Their ids are those of the pages in the space if it has a computed page with this source.',
    }),
    files: z.array(ContentFile),
    reusableContents: z.array(ReusableContent),
  }),
});
