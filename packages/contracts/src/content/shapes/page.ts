import * as z from 'zod';
import { Id, Timestamp } from '../../kernel/common.js';
import { RichDocument } from '../../kernel/rich-document.js';
import { ComputedDocument, ComputedSource } from './computed.js';
import { ContentReference } from './content-reference.js';
import { GitObject, ImportedFrom, PageCover, PageLayout, PageMetaLinks } from './page-fields.js';
import { Variables } from './variables.js';

/** What every page has. */
const common = {
  id: Id,
  title: z.string(),
  emoji: z.string().optional(),
  icon: z.string().optional(),
  createdAt: Timestamp.optional(),
  updatedAt: Timestamp.optional(),
  hidden: z.boolean().meta({ description: 'Not in the navigation.' }),
  condition: z.string().optional().meta({ description: 'Decides who sees it. Only members see the condition.' }),
  urls: z.object({ app: z.url() }),
  git: GitObject.optional(),
};

/** What every page with a path has. */
const placed = {
  ...common,
  slug: z.string().meta({ description: 'The last part of `path`.' }),
  path: z.string().meta({ description: 'Path below the space, without a slash at its beginning.' }),
  importedFrom: ImportedFrom.optional().meta({
    description: 'The file that an import has made it of. Only members see it.',
  }),
};

const seed = z.string().optional().meta({ description: 'Changes when what it is computed from changes.' });

const stale = z.literal(true).optional().meta({
  description:
    'Set when the integration has not computed it, or all of it, as it would be now, or is paused: what it computed before is shown.',
});

const findable = {
  noIndex: z.boolean().meta({ description: 'Not found by visitors who search.' }),
  noRobotsIndex: z.boolean().meta({ description: 'Search engines are told not to list it.' }),
};

const kindOf = 'The same as `type`, for clients that know it by this name.';

const documentFields = z.object({
  type: z.literal('document'),
  kind: z.literal('sheet').meta({ description: kindOf }),
  ...placed,
  description: z.string().optional(),
  documentId: Id.optional(),
  markdown: z.string().optional(),
  document: RichDocument.optional(),
  layout: PageLayout,
  cover: PageCover.optional(),
  variables: Variables.optional(),
  ...findable,
  metaLinks: PageMetaLinks.optional(),
  computed: ComputedDocument.optional(),
  computedSeed: seed,
  stale,
});
const groupFields = z.object({
  type: z.literal('group'),
  kind: z.literal('group').meta({ description: kindOf }),
  ...placed,
  computed: ComputedSource.optional().meta({ description: 'What the pages in it are computed from.' }),
  computedSeed: seed,
  stale,
});
const computedFields = z.object({
  type: z.literal('computed'),
  ...placed,
  ...findable,
  computed: ComputedSource,
  computedSeed: seed,
  stale,
});

interface WithPages {
  pages: Page[];
}
/** A page as answers contain it. */
export type Page =
  | (z.output<typeof documentFields> & WithPages)
  | (z.output<typeof groupFields> & WithPages)
  | z.output<typeof LinkPage>
  | (z.output<typeof computedFields> & WithPages);

const withPages = {
  pages: z
    .array(z.lazy((): z.ZodType<Page, Page> => Page))
    .meta({ description: 'The pages in it, in their order, without their documents.' }),
};

/** A page with a text of its own. Reads of one page have the text, in both forms unless one was asked for. */
const DocumentPage = documentFields.extend(withPages).meta({ id: 'DocumentPage' });

/** A heading of the navigation with pages below it. It stands at the top of a space. */
const GroupPage = groupFields.extend(withPages).meta({ id: 'GroupPage' });

/** An entry of the navigation that leads elsewhere. */
const LinkPage = z
  .object({
    type: z.literal('link'),
    kind: z.literal('link').meta({ description: kindOf }),
    ...common,
    target: ContentReference,
    href: z.string().optional().meta({ description: 'Address of the target; absent if it does not exist.' }),
  })
  .meta({ id: 'LinkPage' });

/** What pages are computed from, with `computed=false`. Otherwise it is a group that has them. */
const ComputedPage = computedFields.extend(withPages).meta({ id: 'ComputedPage' });

export const Page = z
  .discriminatedUnion('type', [DocumentPage, GroupPage, LinkPage, ComputedPage])
  .meta({ id: 'Page' });

/** A page as answers name it that do not show it. */
export const PageReference = z
  .object({
    id: Id,
    type: z.enum(['document', 'group', 'link', 'computed']),
    title: z.string(),
    path: z.string().optional().meta({ description: 'Absent for links.' }),
  })
  .meta({ id: 'PageReference' });
