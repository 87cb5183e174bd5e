import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { Pdf, pdfQuery } from '../../content/moving/pdf.js';
import { reading, siteParams, sitePath } from '../base.js';

export const getPublishedPdf = operation({
  service: 'sites',
  tag: 'Publishing',
  id: 'getPublishedPdf',
  method: 'GET',
  path: `${sitePath}/published/pdf`,
  summary:
    'Get the address of a PDF of a space of a site, or of pages of it, as a visitor sees it; when the site offers PDFs',
  access: { ...reading, tokens: ['content'] },
  params: z.object(siteParams),
  query: z.object({
    ...pdfQuery,
    space: Id.optional().meta({
      description: 'The space; unless given, that of the address for which the token was made.',
    }),
  }),
  response: Pdf,
  waitsSeconds: 30,
  deadlineMs: 40_000,
  rate: 'pdf',
  reasons: ['invalid_request', 'limit_reached', 'unavailable'],
});
