import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
} from '@aws-sdk/client-s3';
import { BlobError } from '../port/error.js';
import { storeCall } from '../port/store-call.js';
import { type Bucket, blobKey, DRAFTS, unlessMissing } from './bucket.js';
import { pagesOf } from './list.js';

/** What one request can delete. */
const KEYS_AT_ONCE = 1_000;

export async function removeKeys({ client, name }: Bucket, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
    const Objects = keys.slice(at, at + KEYS_AT_ONCE).map((Key) => ({ Key }));
    const request = new DeleteObjectsCommand({ Bucket: name, Delete: { Objects, Quiet: true } });
    const { Errors = [] } = await storeCall('Removing blobs', () => client.send(request));
    const [error] = Errors;
    if (error !== undefined)
      throw new BlobError('store_failed', `Removing ${error.Key ?? 'a blob'}: ${error.Code ?? 'refused'}`);
  }
}

export async function removePool(bucket: Bucket, pool: string): Promise<void> {
  for await (const page of pagesOf(bucket, blobKey(pool, '')))
    await removeKeys(
      bucket,
      page.map(({ Key = '' }) => Key),
    );
  await removeDrafts(bucket, `${DRAFTS}${pool}/`, () => true);
}

/** Removes drafts with their unfinished uploads. @returns how many */
export async function removeDrafts(bucket: Bucket, prefix: string, chosen: (begun: Date) => boolean): Promise<number> {
  let removed = 0;
  for await (const page of pagesOf(bucket, prefix))
    for (const { Key, LastModified } of page) {
      if (Key === undefined || LastModified === undefined || !chosen(LastModified)) continue;
      await storeCall('Removing a draft', () => removeDraft(bucket, Key));
      removed++;
    }
  return removed;
}

/** The object goes last: by it the uploads are found again when this ends half-way. */
async function removeDraft({ client, name }: Bucket, key: string): Promise<void> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: name, Prefix: key }));
  for (const { UploadId } of Uploads)
    await unlessMissing(client.send(new AbortMultipartUploadCommand({ Bucket: name, Key: key, UploadId })));
  await client.send(new DeleteObjectCommand({ Bucket: name, Key: key }));
}
