import * as z from 'zod';
import { tooManyBytes } from '../../kernel/bytes.js';
import { Url, text } from '../../kernel/common.js';
import { contentBounds } from '../bounds.js';
import { TemporaryName } from './change-fields.js';

export const FileName = text(1, contentBounds.fileName);

/** A media type as HTTP has it, with or without parameters. */
export const ContentType = z
  .string()
  .max(255)
  .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(;[ -~]*)?$/, 'Must be a media type, as image/png');

/** The key of an upload, as the upload's own answer has it. */
export const StorageKey = z
  .string()
  .min(1)
  .max(512)
  .regex(/^[\w!./-]+$/, 'Must be a key of an upload');

/** The bytes that a text in base64 stands for. */
function decodedBytes(encoded: string): number {
  return (encoded.length / 4) * 3 - (encoded.endsWith('==') ? 2 : encoded.endsWith('=') ? 1 : 0);
}

const Base64 = z
  .base64()
  .refine(
    (encoded) => decodedBytes(encoded) <= contentBounds.inlineFileBytes,
    tooManyBytes(contentBounds.inlineFileBytes),
  );

/** Where the bytes of a file come from. */
export const fileSource = {
  url: Url.optional().meta({ description: 'A public address, from which the file is fetched.' }),
  base64: Base64.optional().meta({
    description: 'The file itself, at most 1 MiB before it is encoded. It needs `contentType`.',
  }),
  upload: StorageKey.optional().meta({ description: 'The key of an upload.' }),
  contentType: ContentType.optional(),
};
type FileSource = z.output<z.ZodObject<typeof fileSource>>;

/** Refuses more than one source, a file in base64 without its type, and no source unless the file may stay as it is. */
export function refuseSources(required: boolean) {
  return (given: FileSource, context: z.RefinementCtx): void => {
    const sources = (['url', 'base64', 'upload'] as const).filter((name) => given[name] !== undefined);
    const refuse = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (required && sources.length === 0) refuse('url', 'One of url, base64 and upload has to be given');
    const second = sources[1];
    if (second !== undefined) refuse(second, 'Only one of url, base64 and upload can be given');
    if (given.base64 !== undefined && given.contentType === undefined) refuse('contentType', 'base64 needs it');
  };
}

export const NewFile = z
  .object({ name: FileName, ref: TemporaryName.optional(), ...fileSource })
  .superRefine(refuseSources(true))
  .meta({ id: 'NewFile' });
