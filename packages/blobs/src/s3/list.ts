import { ListObjectsV2Command, type _Object } from '@aws-sdk/client-s3';
import { type ListOptions, type StoredBlob } from '../port/blobs.js';
import { type Bucket, BLOBS, blobKey } from './bucket.js';

/** Objects whose keys begin with a prefix, a page of the store at a time. */
export async function* pagesOf({ client, name }: Bucket, prefix: string): AsyncGenerator<_Object[]> {
  let next: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: name,
        Prefix: prefix,
        ...(next === undefined ? {} : { ContinuationToken: next }),
      }),
    );
    yield page.Contents ?? [];
    next = page.NextContinuationToken;
  } while (next !== undefined);
}

export async function listObjects(
  { client, name }: Bucket,
  pool: string,
  { after, limit }: ListOptions,
): Promise<StoredBlob[]> {
  const prefix = blobKey(pool, '');
  const { Contents = [] } = await client.send(
    new ListObjectsV2Command({
      Bucket: name,
      Prefix: prefix,
      MaxKeys: limit,
      ...(after === undefined ? {} : { StartAfter: prefix + after }),
    }),
  );
  return Contents.map(({ Key = '', Size = 0 }) => ({ hash: Key.slice(prefix.length), size: Size }));
}

export async function listPrefixes({ client, name }: Bucket, { after, limit }: ListOptions): Promise<string[]> {
  const { CommonPrefixes = [] } = await client.send(
    new ListObjectsV2Command({
      Bucket: name,
      Prefix: BLOBS,
      Delimiter: '/',
      MaxKeys: limit,
      // The character behind `/` is `0`: whatever is in the pool stands before it.
      ...(after === undefined ? {} : { StartAfter: `${BLOBS}${after}0` }),
    }),
  );
  return CommonPrefixes.map(({ Prefix = '' }) => Prefix.slice(BLOBS.length, -1));
}
