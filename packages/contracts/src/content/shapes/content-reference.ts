import * as z from 'zod';
import { Id } from '../../kernel/common.js';

/** Schemes of links that are safe to follow. Relative addresses name nothing without a base. */
const LinkUrl = z
  .string()
  .min(1)
  .max(2048)
  .refine((text) => isLink(text), 'Must be an absolute URL with http, https, mailto or tel');

function isLink(text: string): boolean {
  return /^(https?:\/\/|mailto:|tel:)/i.test(text) && URL.canParse(text) && !/[\p{Cc}\s]/u.test(text);
}

/** The heading that an anchor names: its id in the document. */
const Anchor = z.string().min(1).max(256);

const inSpace = { space: Id.optional().meta({ description: 'The space that it is in; this one unless given.' }) };

const FileReference = z.object({ kind: z.literal('file'), file: Id, ...inSpace });
const UrlReference = z.object({ kind: z.literal('url'), url: LinkUrl });
export const OpenAPIReference = z.object({ kind: z.literal('openapi'), spec: z.string().min(1).max(100) });

/** Something that content points at: in the same space, in another one, or outside. */
export const ContentReference = z
  .discriminatedUnion('kind', [
    FileReference,
    UrlReference,
    z.object({ kind: z.literal('page'), page: Id, ...inSpace }),
    z.object({ kind: z.literal('anchor'), anchor: Anchor, page: Id.optional(), ...inSpace }),
    z.object({ kind: z.literal('user'), user: Id }),
    z.object({ kind: z.literal('collection'), collection: Id }),
    z.object({ kind: z.literal('space'), space: Id }),
    z.object({ kind: z.literal('reusable-content'), reusableContent: Id, ...inSpace }),
    OpenAPIReference,
    z.object({ kind: z.literal('tag'), tag: Id, ...inSpace }),
  ])
  .meta({ id: 'ContentReference' });
export type ContentReference = z.output<typeof ContentReference>;

/** An image: a file of a space, or one elsewhere. */
export const ImageReference = z
  .discriminatedUnion('kind', [FileReference, UrlReference])
  .meta({ id: 'ImageReference' });
