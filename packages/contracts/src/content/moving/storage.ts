import * as z from 'zod';
import { tooManyBytes } from '../../kernel/bytes.js';
import { Id } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { contentBounds } from '../bounds.js';
import { ContentType, FileName, StorageKey } from '../versions/file-input.js';

const Size = z
  .int()
  .min(0)
  .refine((bytes) => bytes <= contentBounds.fileBytes, tooManyBytes(contentBounds.fileBytes))
  .meta({ description: 'In bytes, at most 100 MiB.' });

/** The address to which a client sends the bytes of a file. */
export const StorageSignedUrl = z
  .object({
    object: z.literal('storage-signed-url'),
    url: z.url().meta({ description: 'Send the bytes here with PUT.' }),
    key: StorageKey.meta({
      description: 'Names the upload in later requests. One that nothing uses ends after a day.',
    }),
  })
  .meta({ id: 'StorageSignedUrl' });
export type StorageSignedUrl = z.output<typeof StorageSignedUrl>;

export const uploadStorage = operation({
  service: 'content',
  tag: 'Files',
  id: 'uploadStorage',
  method: 'POST',
  path: '/orgs/{organizationId}/storage/upload',
  summary: 'Begin an upload: get an address for the bytes of a file, and a key to use it by',
  // Guests too can edit a space: whether the caller may edit anything is checked by the service.
  access: { scope: 'space:write', resource: 'organization', view: ['guest'], allow: ['guest'] },
  params: z.object({ organizationId: Id }),
  body: z.object({
    file: z.object({ name: FileName, type: ContentType, size: Size }),
    kind: z.enum(['customization_font', 'import_file', 'organization_file', 'space_file']),
  }),
  response: StorageSignedUrl,
  status: 201,
  reasons: ['limit_reached'],
  dryRun: false,
});
