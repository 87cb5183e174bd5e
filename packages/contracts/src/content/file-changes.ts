import * as z from 'zod';
import { contentBounds } from './bounds.js';
import { Named } from './change-fields.js';
import { FileName, NewFile, fileSource, refuseSources } from './file-input.js';

const insertFiles = z.object({
  operation: z.literal('insert_files'),
  files: z.array(NewFile).min(1).max(contentBounds.filesPerChange),
});
const updateFile = z
  .object({ operation: z.literal('update_file'), file: Named, name: FileName.optional(), ...fileSource })
  .superRefine(refuseSources(false));
const deleteFile = z.object({ operation: z.literal('delete_file'), file: Named });

/** The changes of files. They join the other changes as soon as files can be stored. */
export const fileChanges = [insertFiles, updateFile, deleteFile] as const;
