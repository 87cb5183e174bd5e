import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { openToInstallations } from '../../kernel/integration-access.js';
import { internalOperation, operation } from '../../kernel/operation.js';

/** A PDF that can be fetched. */
export const Pdf = z
  .object({
    url: z.url().meta({
      description:
        'Where the PDF can be fetched, for at least an hour. It is made when it is fetched first; what takes longer than half a minute is answered with 503 and `Retry-After` meanwhile. It needs no token: whoever has the address has it.',
    }),
    pages: z.int().min(1).optional().meta({ description: 'The number of its sheets, once it is made.' }),
    bytes: z.int().min(1).optional().meta({ description: 'How large it is, once it is made.' }),
    accessible: z
      .boolean()
      .optional()
      .meta({ description: 'Whether it meets PDF/UA-1, once it is made. It has tags and bookmarks in any case.' }),
    missingScripts: z
      .array(z.string())
      .optional()
      .meta({ description: 'Scripts of its texts, by ISO 15924, for which no fonts are installed.' }),
  })
  .meta({ id: 'Pdf' });
export type Pdf = z.input<typeof Pdf>;

/** Which part of a content a PDF shows, and on which paper. */
export const pdfQuery = {
  page: Id.optional().meta({ description: 'This page with those in it; everything unless given.' }),
  only: z.boolean().default(false).meta({ description: 'The page alone, without those in it. Needs `page`.' }),
  paper: z.enum(['a4', 'letter']).default('a4').meta({ description: 'The size of the sheets.' }),
};

const base = {
  service: 'content',
  tag: 'Import and export',
  method: 'GET',
  access: openToInstallations(
    { scope: 'space:read', resource: 'space', view: ['read'], allow: ['read'] },
    'space:content:read',
  ),
  response: Pdf,
  waitsSeconds: 30,
  deadlineMs: 40_000,
  rate: 'pdf',
  reasons: ['invalid_request', 'limit_reached', 'unavailable'],
} as const;

export const getSpacePdf = operation({
  ...base,
  id: 'getSpacePdf',
  path: '/spaces/{spaceId}/pdf',
  summary: 'Get the address of a PDF of a space, or of pages of it',
  params: z.object({ spaceId: Id }),
  query: z.object(pdfQuery),
});

export const getChangeRequestPdf = operation({
  ...base,
  id: 'getChangeRequestPdf',
  path: '/spaces/{spaceId}/change-requests/{changeRequestId}/pdf',
  summary: 'Get the address of a PDF of the content of a change request, or of pages of it',
  params: z.object({
    spaceId: Id,
    changeRequestId: Id.meta({ description: 'Id of the change request, or its number in the space.' }),
  }),
  query: z.object({
    ...pdfQuery,
    changes: z.boolean().default(false).meta({
      description:
        'Only pages that the change request changes, with what it adds underlined and what it removes struck.',
    }),
  }),
});

/** The address of a PDF of a published space, as a visitor sees it. `published`: where the space is on its site. */
export const preparePublishedPdf = internalOperation({
  id: 'preparePublishedPdf',
  service: 'content',
  deadlineMs: 40_000,
  input: z.object({
    organization: Id,
    space: Id,
    published: z.string().max(2_048).optional(),
    page: Id.optional(),
    only: z.boolean(),
    paper: z.enum(['a4', 'letter']),
    waitSeconds: z.number().min(0).max(30),
  }),
  response: Pdf,
});
