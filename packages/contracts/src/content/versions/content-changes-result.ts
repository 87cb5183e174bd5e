import * as z from 'zod';
import { Id, Location } from '../../kernel/common.js';
import { Variables } from '../shapes/variables.js';

const ref = Id.optional().meta({ description: 'The name that the request gave to it.' });

const ChangedPage = z
  .object({ id: Id, title: z.string(), path: z.string(), urls: Location })
  .meta({ id: 'ChangedPage' });
const ChangedLink = z.object({ id: Id, title: z.string(), urls: Location }).meta({ id: 'ChangedLink' });
const ChangedFile = z.object({ id: Id, name: z.string(), urls: Location }).meta({ id: 'ChangedFile' });
const ChangedReusableContent = z
  .object({ id: Id, title: z.string(), urls: Location })
  .meta({ id: 'ChangedReusableContent' });

const InsertedFile = ChangedFile.extend({ ref }).meta({ id: 'InsertedFile' });

/** What one change did. */
export const ContentChangeResult = z
  .discriminatedUnion('object', [
    z.object({ object: z.literal('created_page'), ref, page: ChangedPage }),
    z.object({ object: z.literal('updated_page'), page: ChangedPage }),
    z.object({ object: z.literal('deleted_page'), page: Id }),
    z.object({ object: z.literal('created_group'), ref, page: ChangedPage }),
    z.object({ object: z.literal('updated_group'), page: ChangedPage }),
    z.object({ object: z.literal('deleted_group'), page: Id }),
    z.object({ object: z.literal('created_link'), ref, page: ChangedLink }),
    z.object({ object: z.literal('updated_link'), page: ChangedLink }),
    z.object({ object: z.literal('created_files'), files: z.array(InsertedFile) }),
    z.object({ object: z.literal('updated_file'), file: ChangedFile }),
    z.object({ object: z.literal('deleted_file'), file: Id }),
    z.object({ object: z.literal('created_reusable_content'), ref, reusableContent: ChangedReusableContent }),
    z.object({ object: z.literal('updated_reusable_content'), reusableContent: ChangedReusableContent }),
    z.object({ object: z.literal('deleted_reusable_content'), reusableContent: Id }),
    z.object({ object: z.literal('updated_variables'), page: Id.optional(), variables: Variables }),
  ])
  .meta({ id: 'ContentChangeResult' });
export type ContentChangeResult = z.output<typeof ContentChangeResult>;

/** The answer to changes of content. */
export const ContentChangesResult = z
  .object({
    revision: Id.meta({ description: 'The new head; the present one if nothing changed.' }),
    refs: z.record(z.string(), Id).meta({ description: 'The ids of what the request named, by these names.' }),
    changes: z.array(ContentChangeResult).meta({ description: 'One for each change of the request, in their order.' }),
    insertedFiles: z.array(InsertedFile).optional().meta({ description: 'All files that the request inserted.' }),
  })
  .meta({ id: 'ContentChangesResult' });
export type ContentChangesResult = z.output<typeof ContentChangesResult>;
