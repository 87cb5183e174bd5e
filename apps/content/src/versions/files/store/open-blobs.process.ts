import { openBlobs, type Blobs } from '@scriptorium/blobs';
import { join } from 'node:path';
import type { FilesSettings } from '../files.settings.js';

/** A database of MongoDB. */
export interface BlobDatabase {
  url: string;
  database: string;
}

/** Opens the store that the settings name. */
export function openFiles(settings: FilesSettings, mongo: BlobDatabase): Promise<Blobs> {
  const { FILES_S3_ENDPOINT: endpoint, FILES_S3_REGION: region } = settings;
  const { FILES_S3_ACCESS_KEY_ID: accessKeyId, FILES_S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  const isGiven = accessKeyId !== undefined && secretAccessKey !== undefined;
  const credentials = isGiven ? { accessKeyId, secretAccessKey } : undefined;
  return openBlobs(settings.FILES_STORE, {
    folder: join(settings.DATA_DIR, 'files'),
    mongo,
    s3: { endpoint, region, credentials },
  });
}
