import { type S3Options } from './s3/bucket.js';
import { folderBlobs } from './folder/folder-blobs.js';
import { type Blobs } from './port/blobs.js';

/** Where the stores are that can be named. */
export interface BlobPlaces {
  /** The folder that `folder` means. */
  readonly folder: string;
  /** The database that `mongodb` means. */
  readonly mongo: { readonly url: string; readonly database: string };
  /** What `s3:<bucket>` needs besides the bucket. */
  readonly s3: Omit<S3Options, 'bucket'>;
}

/** Opens the store that is named `folder`, `folder:<path>`, `mongodb` or `s3:<bucket>`. No code of others is loaded. */
export async function openBlobs(name: string, { folder, mongo, s3 }: BlobPlaces): Promise<Blobs> {
  const [kind, rest = ''] = /^([a-z0-9]+):?(.*)$/s.exec(name)?.slice(1) ?? [];
  if (kind === 'mongodb') return (await import('./mongodb.js')).mongoBlobs(mongo);
  if (kind === 's3') return (await import('./s3.js')).s3Blobs({ ...s3, bucket: rest });
  return folderBlobs({ folder: rest === '' ? folder : rest });
}
