import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { contentBounds } from '../bounds.js';
import { Named, TemporaryName, computedFields, entryFields, pageFields, place } from './change-fields.js';
import { IntegrationSource, OpenAPISource } from '../shapes/computed.js';
import { ContentReference } from '../shapes/content-reference.js';
import { ContentDocument } from './document-input.js';
import { ContentTitle, Slug } from '../shapes/page-fields.js';

const ref = TemporaryName.optional();
const { at } = place;

const updatePage = z.object({
  operation: z.literal('update_page'),
  page: Named,
  ...pageFields,
  document: ContentDocument.optional().meta({
    description: 'Replaces the text. The front matter of markdown takes precedence over the other fields.',
  }),
  ...place,
});

const insertPage = z.object({
  operation: z.literal('insert_page'),
  ref,
  ...pageFields,
  document: ContentDocument.meta({
    description: 'The front matter of markdown takes precedence over the other fields, its first heading over `title`.',
  }),
  ...place,
});

const deletePage = z
  .object({ operation: z.literal('delete_page'), page: Named })
  .meta({ description: 'Deletes a page or link, with all pages in it.' });

const revertPage = z.object({
  operation: z.literal('revert_page'),
  page: Named,
  revision: Id.optional().meta({
    description: 'The revision to take it from; unless given `base`, and without that the one before the head.',
  }),
  block: z
    .array(z.string().min(1).max(128))
    .min(1)
    .max(contentBounds.blocks)
    .optional()
    .meta({ description: 'Keys of the blocks to take back; the whole page unless given.' }),
});

const groupFields = { slug: Slug.optional(), ...entryFields, at };

const insertGroup = z.object({
  operation: z.literal('insert_group'),
  ref,
  title: ContentTitle,
  ...groupFields,
});
const updateGroup = z.object({
  operation: z.literal('update_group'),
  page: Named,
  title: ContentTitle.optional(),
  ...groupFields,
});
const deleteGroup = z.object({ operation: z.literal('delete_group'), page: Named }).meta({
  description:
    'Deletes a group; the pages in it move to the top of the space. Refused while it has pages and a condition, which they would lose.',
});

const linkFields = { ...entryFields, ...place };

const insertLink = z.object({
  operation: z.literal('insert_link'),
  ref,
  title: ContentTitle,
  target: ContentReference,
  ...linkFields,
});
const updateLink = z.object({
  operation: z.literal('update_link'),
  page: Named,
  title: ContentTitle.optional(),
  target: ContentReference.optional(),
  ...linkFields,
});

const insertComputed = z.object({
  operation: z.literal('insert_computed'),
  ref,
  title: ContentTitle.optional().meta({
    description:
      'The name of what it is computed from unless given: of a specification, a file or a source of an integration.',
  }),
  slug: Slug.optional(),
  computed: z.union([OpenAPISource, IntegrationSource]),
  ...computedFields,
  ...place,
});

/** The changes of pages: of documents, groups, links and computed ones. */
export const pageChanges = [
  updatePage,
  insertPage,
  deletePage,
  revertPage,
  insertGroup,
  updateGroup,
  deleteGroup,
  insertLink,
  updateLink,
  insertComputed,
] as const;
