import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { contentBounds } from '../bounds.js';
import { Named, TemporaryName } from './change-fields.js';
import { ContentDocument } from './document-input.js';
import { FileName, NewFile, fileSource, refuseSources } from './file-input.js';
import { ContentTitle } from '../shapes/page-fields.js';
import { pageChanges } from './page-changes.js';
import { VariableChanges } from '../shapes/variables.js';

const insertFiles = z.object({
  operation: z.literal('insert_files'),
  files: z.array(NewFile).min(1).max(contentBounds.filesPerChange),
});
const updateFile = z
  .object({ operation: z.literal('update_file'), file: Named, name: FileName.optional(), ...fileSource })
  .superRefine(refuseSources(false));
const deleteFile = z.object({ operation: z.literal('delete_file'), file: Named });

const insertReusableContent = z.object({
  operation: z.literal('insert_reusable_content'),
  ref: TemporaryName.optional(),
  title: ContentTitle,
  document: ContentDocument,
});
const updateReusableContent = z.object({
  operation: z.literal('update_reusable_content'),
  reusableContent: Named,
  title: ContentTitle.optional(),
  document: ContentDocument.optional(),
});
const deleteReusableContent = z.object({ operation: z.literal('delete_reusable_content'), reusableContent: Named });

const setVariables = z.object({
  operation: z.literal('set_variables'),
  variables: VariableChanges,
  page: Named.optional().meta({ description: 'The page whose variables they are; those of the space unless given.' }),
});

const textChanges = [
  ...pageChanges,
  insertReusableContent,
  updateReusableContent,
  deleteReusableContent,
  setVariables,
] as const;

/** One change of the content of a space or change request. */
export const ContentChange = z
  .discriminatedUnion('operation', [...textChanges, insertFiles, updateFile, deleteFile])
  .meta({ id: 'ContentChange' });
export type ContentChange = z.output<typeof ContentChange>;

/** One change of anything but files. */
export type TextChange = Exclude<ContentChange, { operation: 'insert_files' | 'update_file' | 'delete_file' }>;

/** The names that a change gives, each with its place in the change. */
function namesIn(change: ContentChange): { name: string | undefined; path: (string | number)[] }[] {
  if ('files' in change) return change.files.map(({ ref: name }, file) => ({ name, path: ['files', file, 'ref'] }));
  return 'ref' in change ? [{ name: change.ref, path: ['ref'] }] : [];
}

/** Refuses a name that is given twice: what is meant by it would depend on the order. */
function refuseSameNames(changes: readonly ContentChange[], context: z.RefinementCtx): void {
  const known = new Set<string>();
  changes.forEach((change, index) => {
    for (const { name, path } of namesIn(change)) {
      if (name === undefined) continue;
      const message = 'Is the name of something else in the request';
      if (known.has(name)) context.addIssue({ code: 'custom', path: [index, ...path], message });
      known.add(name);
    }
  });
}

const base = Id.optional().meta({
  description:
    'The revision that the changes were made for: 412 if it is not the head. Unless given, they apply to the head.',
});

/** The changes of one request. They are applied in their order, and all of them or none. */
export const ContentChanges = z.object({
  changes: z.array(ContentChange).min(1).max(contentBounds.changes).superRefine(refuseSameNames),
  base,
});
export type ContentChanges = z.output<typeof ContentChanges>;

const resolve = z
  .array(Id)
  .min(1)
  .max(contentBounds.conflicts)
  .optional()
  .meta({ description: 'Ids of conflicts that count as resolved.' });

/** The changes of one request to a change request. It can resolve conflicts instead of changing something. */
export const ChangeRequestContentChanges = ContentChanges.extend({
  changes: ContentChanges.shape.changes.optional(),
  resolve,
}).refine(({ changes, resolve: ids }) => changes !== undefined || ids !== undefined, {
  path: ['changes'],
  message: 'Changes or conflicts that are resolved have to be given',
});
export type ChangeRequestContentChanges = z.output<typeof ChangeRequestContentChanges>;
