import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { ComputedSource } from '../shapes/computed.js';
import { ContentReference } from '../shapes/content-reference.js';
import { ContentFile } from '../shapes/file.js';
import { PageCover, PageLayout, PageMetaLinks } from '../shapes/page-fields.js';
import { PageReference } from '../shapes/page.js';
import { ReusableContent } from '../shapes/reusable-content.js';
import { ChangeRequest } from '../../change-requests/change-request.js';
import { embed } from '../../kernel/embed.js';
import { Variables } from '../shapes/variables.js';

/** A value before and after; absent where there was, or is, none. */
function changed<T extends z.ZodType>(value: T) {
  return z.object({ before: value.optional(), after: value.optional() }).optional();
}

const documentId = Id.meta({ description: 'Id of a document.' });
const { name, downloadURL, size, contentType, dimensions } = ContentFile.shape;

const PageAttributes = z.object({
  title: changed(z.string()),
  description: changed(z.string()),
  slug: changed(z.string()),
  document: changed(documentId),
  cover: changed(PageCover),
  emoji: changed(z.string()),
  icon: changed(z.string()),
  layout: changed(PageLayout),
  variables: changed(Variables),
  hidden: changed(z.boolean()),
  noIndex: changed(z.boolean()),
  noRobotsIndex: changed(z.boolean()),
  condition: changed(z.string()),
  metaLinks: changed(PageMetaLinks),
  target: changed(ContentReference),
  computed: changed(ComputedSource),
});

const FileAttributes = z.object({
  name: changed(name),
  downloadURL: changed(downloadURL),
  size: changed(size),
  contentType: changed(contentType),
  dimensions: changed(dimensions.unwrap()),
});

const reusableContent = { reusableContent: ReusableContent };

/** What one change of content means to people, unlike what it changes in the texts. */
export const SemanticChange = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('page_created'), page: PageReference }),
    z.object({ type: z.literal('page_edited'), page: PageReference, attributes: PageAttributes }),
    z.object({ type: z.literal('page_deleted'), page: PageReference }),
    z.object({
      type: z.literal('page_moved'),
      page: PageReference,
      parent: z
        .object({ before: PageReference.optional(), after: PageReference.optional() })
        .meta({ description: 'Absent at the top of the space.' }),
    }),
    z.object({ type: z.literal('file_created'), file: ContentFile }),
    z.object({ type: z.literal('file_edited'), file: ContentFile, attributes: FileAttributes }),
    z.object({ type: z.literal('file_deleted'), file: ContentFile }),
    z.object({
      type: z.literal('variables_edited'),
      variables: z.object({ before: Variables.optional(), after: Variables.optional() }),
    }),
    z.object({ type: z.literal('reusable_content_created'), ...reusableContent }),
    z.object({
      type: z.literal('reusable_content_edited'),
      ...reusableContent,
      attributes: z.object({ title: changed(z.string()), document: changed(documentId) }),
    }),
    z.object({ type: z.literal('reusable_content_deleted'), ...reusableContent }),
  ])
  .meta({ id: 'SemanticChange' });
export type SemanticChange = z.output<typeof SemanticChange>;

const place = {
  parent: z.string().meta({ description: 'The key of the block that contains it; empty for the top of the document.' }),
  index: z.int().min(0).meta({ description: 'Its place there, from 0.' }),
};

/** One difference between the blocks of two documents. */
const BlockDifference = z
  .object({
    kind: z.enum(['added', 'removed', 'moved', 'changed']),
    key: z.string().meta({ description: 'The key of the block in the document.' }),
    ...place,
    from: z.object(place).optional().meta({ description: 'Where a block that was moved stood before.' }),
    before: z.string().optional().meta({ description: 'The block in Markdown as it was.' }),
    after: z.string().optional().meta({ description: 'The block in Markdown as it is.' }),
  })
  .meta({ id: 'BlockDifference' });
export type BlockDifference = z.output<typeof BlockDifference>;

/** What changed in the text of a page or a reusable content. */
export const DocumentDifference = z
  .object({
    page: PageReference.optional().meta({ description: 'Of this page; as it was, if it was deleted.' }),
    reusableContent: ReusableContent.optional(),
    unified: z.string().optional().meta({
      description:
        'A unified diff of the Markdown, with three lines around each change; links name pages by their ids.',
    }),
    blocks: z.array(BlockDifference).optional(),
    truncated: z.literal(true).optional().meta({
      description: 'Something is left out, because the texts are too long or too different to be compared in time.',
    }),
  })
  .meta({ id: 'DocumentDifference' });
export type DocumentDifference = z.output<typeof DocumentDifference>;

/** What changed in a revision. */
export const SemanticChanges = z
  .object({
    mergedFrom: embed('change-request', ChangeRequest).optional().meta({ description: 'If the revision is a merge.' }),
    changes: z.array(SemanticChange),
    more: z.int().min(1).optional().meta({ description: 'How many changes are beyond the limit.' }),
    diffs: z.array(DocumentDifference).optional().meta({ description: 'With `format=diff`.' }),
  })
  .meta({ id: 'SemanticChanges' });
export type SemanticChanges = z.output<typeof SemanticChanges>;
