import { folderBlobs, type Blobs } from '@scriptorium/blobs';
import { join } from 'node:path';
import type { FilesSettings } from '../files.settings.js';

/** A database of MongoDB. */
export interface BlobDatabase {
  url: string;
  database: string;
}

/** Opens the store that the settings name. The code of the others is not loaded. */
export async function openBlobs(settings: FilesSettings, mongo: BlobDatabase): Promise<Blobs> {
  const [kind, rest] = /^([a-z0-9]+):?(.*)$/s.exec(settings.FILES_STORE)?.slice(1) ?? [];
  if (kind === 'mongodb') return (await import('@scriptorium/blobs/mongodb')).mongoBlobs(mongo);
  if (kind === 's3') return (await import('@scriptorium/blobs/s3')).s3Blobs(s3Options(settings, rest ?? ''));
  return folderBlobs({ folder: rest === undefined || rest === '' ? join(settings.DATA_DIR, 'files') : rest });
}

function s3Options(settings: FilesSettings, bucket: string) {
  const { FILES_S3_ENDPOINT: endpoint, FILES_S3_REGION: region } = settings;
  const { FILES_S3_ACCESS_KEY_ID: accessKeyId, FILES_S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  const isGiven = accessKeyId !== undefined && secretAccessKey !== undefined;
  return { endpoint, region, bucket, credentials: isGiven ? { accessKeyId, secretAccessKey } : undefined };
}
