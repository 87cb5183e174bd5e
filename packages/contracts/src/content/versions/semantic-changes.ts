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

/** What changed in a revision. */
export const SemanticChanges = z
  .object({
    mergedFrom: embed('change-request', ChangeRequest).optional().meta({ description: 'If the revision is a merge.' }),
    changes: z.array(SemanticChange),
    more: z.int().min(1).optional().meta({ description: 'How many changes are beyond the limit.' }),
  })
  .meta({ id: 'SemanticChanges' });
export type SemanticChanges = z.output<typeof SemanticChanges>;
