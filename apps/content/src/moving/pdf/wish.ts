import { VisitorClaims, VisitorType } from '@scriptorium/contracts';
import * as z from 'zod';

/** A visitor, as far as it decides what they are shown. */
const ReaderShape = z.object({
  spaces: z.array(z.string()).readonly(),
  preview: z.union([z.object({ changeRequest: z.string() }), z.object({ revision: z.string() })]).optional(),
  type: VisitorType,
  claims: VisitorClaims,
});

/** A change request, as its PDF names it; without names while the service does not answer that has them. */
const RequestShape = z.object({
  named: z.object({ number: z.int(), subject: z.string(), status: z.string() }).optional(),
  /** The root of the content that it goes back to. */
  before: z.string(),
});

/**
 * What a PDF is made of. It decides all of it: equal wishes are one PDF. Whoever reads as a member sees all of a space,
 * so that members share PDFs; visitors do with equal claims alone.
 */
export const Wish = z.object({
  organization: z.string(),
  space: z.string(),
  revision: z.string(),
  /** The root of the content, with the pages that are computed. */
  root: z.string(),
  page: z.string().optional(),
  only: z.boolean(),
  paper: z.enum(['a4', 'letter']),
  reader: ReaderShape.optional(),
  /** The address of the space on its site, for visitors. */
  published: z.string().optional(),
  request: RequestShape.optional(),
  /** Only pages that the change request changes, with what changed in them. */
  changes: z.boolean(),
  title: z.string(),
  spaceTitle: z.string(),
  language: z.string(),
});
export type Wish = z.output<typeof Wish>;
