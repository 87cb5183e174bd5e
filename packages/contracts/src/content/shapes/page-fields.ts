import * as z from 'zod';
import { text } from '../../kernel/common.js';
import { contentBounds } from '../bounds.js';
import { ContentReference, ImageReference } from './content-reference.js';

export const Icon = z
  .string()
  .regex(/^[a-z0-9-]{1,50}$/, 'Must be the name of an icon: at most 50 lower-case letters, digits and -');

export const ContentTitle = text(1, contentBounds.title);

/** The last part of the path of a page. */
export const Slug = text(0, contentBounds.slug)
  .refine((slug) => !slug.includes('/'), 'Must not contain /')
  .refine((slug) => slug !== '.' && !slug.includes('..'), 'Must not be . or contain ..')
  .meta({ description: 'The last part of the path; when empty, it is made from the title.' });

/** A condition of the expression language. The service checks whether it compiles. */
export const Condition = z.string().max(contentBounds.condition);

const PageWidth = z.enum(['default', 'wide']);
const CoverSize = z.enum(['hero', 'full', 'background']);

export const PageLayout = z
  .object({
    width: PageWidth,
    cover: z.boolean(),
    coverSize: CoverSize,
    title: z.boolean(),
    description: z.boolean(),
    tableOfContents: z.boolean(),
    outline: z.boolean(),
    pagination: z.boolean(),
    metadata: z.boolean(),
  })
  .meta({ id: 'PageLayout', description: 'Which parts of a page are shown, and how wide it is.' });
export type PageLayout = z.output<typeof PageLayout>;

const everything = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
} as const satisfies PageLayout;

/** The layouts that have a name. A page without a layout of its own has `docs`. */
export const layoutPresets = {
  docs: { ...everything, cover: false },
  editorial: everything,
  landing: { ...everything, tableOfContents: false, outline: false, pagination: false },
} as const satisfies Readonly<Record<string, PageLayout>>;

const presetNames = Object.keys(layoutPresets) as (keyof typeof layoutPresets)[];

/** A layout in a request: by name, or the options to change. */
export const PageLayoutInput = z
  .union([z.enum(presetNames), PageLayout.partial()])
  .meta({ description: 'The name of a layout, or options to change; those that are not named stay.' });

export const PageCover = z
  .object({
    ref: ImageReference,
    refDark: ImageReference.optional().meta({ description: 'In dark mode.' }),
    yPos: z.number().meta({ description: 'Vertical offset, in pixels.' }),
    height: z.number().min(10).max(700).meta({ description: 'In pixels.' }),
  })
  .meta({ id: 'PageCover' });
export type PageCover = z.output<typeof PageCover>;

/** A cover in a request. */
export const PageCoverInput = PageCover.extend({
  yPos: PageCover.shape.yPos.optional().meta({ description: '0 unless given.' }),
  height: PageCover.shape.height.optional().meta({ description: '240 unless given.' }),
});

export const PageMetaLinks = z
  .object({
    canonical: ContentReference.optional().meta({ description: 'The page that this one repeats.' }),
    alternates: z
      .array(ContentReference)
      .max(contentBounds.alternates)
      .optional()
      .meta({ description: 'The same page elsewhere, as in other languages.' }),
  })
  .meta({ id: 'PageMetaLinks' });
export type PageMetaLinks = z.output<typeof PageMetaLinks>;

/** Where in the repository of a synchronised space something stands. */
export const GitObject = z.object({ oid: z.string(), path: z.string() }).meta({ id: 'GitObject' });

/** The file that an import has made a page of. */
export const ImportedFrom = z
  .object({
    path: z.string().meta({ description: 'Its path in what was imported; that of a folder ends with `/`.' }),
    id: z.string().optional().meta({ description: 'The `id` of its front matter.' }),
  })
  .meta({ id: 'ImportedFrom' });
