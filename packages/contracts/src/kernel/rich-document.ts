import * as z from 'zod';

/** A rich document as requests and answers contain it. `packages/rich-text` defines what its nodes mean. */
export const RichDocument = z
  .looseObject({
    object: z.literal('document'),
    data: z.record(z.string(), z.unknown()),
    nodes: z.array(z.record(z.string(), z.unknown())),
  })
  .meta({ id: 'RichDocument' });
export type RichDocument = z.output<typeof RichDocument>;

export const Markdown = z.object({ markdown: z.string() }).meta({ id: 'Markdown' });

/** A rich document in a request, as a document. */
export const GivenRichDocument = z.looseObject({
  object: z.literal('document'),
  data: z.record(z.string(), z.unknown()).optional(),
  nodes: z.array(z.record(z.string(), z.unknown())).optional(),
});

/** A rich document in a request: as markdown, or as a document, in the field `document` or without it. */
export const RichDocumentInput = z
  .union([Markdown, z.object({ document: GivenRichDocument }), GivenRichDocument])
  .meta({ id: 'RichDocumentInput' });
export type RichDocumentInput = z.output<typeof RichDocumentInput>;

/** The form in which a rich document is answered. */
export const DocumentFormat = z.enum(['document', 'markdown']);
