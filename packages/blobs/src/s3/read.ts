import { Readable } from 'node:stream';
import { GetObjectCommand, type GetObjectCommandOutput, HeadObjectCommand } from '@aws-sdk/client-s3';
import { type ByteRange, type ReadBlob } from '../port/blobs.js';
import { clampRange } from '../port/clamp.js';
import { BlobError } from '../port/error.js';
import { type Bucket, unlessMissing } from './bucket.js';

export async function sizeOf({ client, name }: Bucket, key: string): Promise<number | undefined> {
  const head = await unlessMissing(client.send(new HeadObjectCommand({ Bucket: name, Key: key })));
  return head === undefined ? undefined : (head.ContentLength ?? 0);
}

export async function readObject(
  bucket: Bucket,
  key: string,
  range: ByteRange | undefined,
): Promise<ReadBlob | undefined> {
  if (range === undefined) {
    const object = await get(bucket, key);
    return object === undefined ? undefined : { size: object.ContentLength ?? 0, stream: streamOf(object) };
  }
  // A range without bytes is no request of HTTP, so the size is needed first.
  const size = await sizeOf(bucket, key);
  if (size === undefined) return undefined;
  const { start, end } = clampRange(range, size);
  if (start >= end) return { size, stream: Readable.from([]) };
  const object = await get(bucket, key, `bytes=${String(start)}-${String(end - 1)}`);
  return object === undefined ? undefined : { size, stream: streamOf(object) };
}

function get({ client, name }: Bucket, key: string, range?: string): Promise<GetObjectCommandOutput | undefined> {
  return unlessMissing(
    client.send(new GetObjectCommand({ Bucket: name, Key: key, ...(range === undefined ? {} : { Range: range }) })),
  );
}

function streamOf({ Body: body }: GetObjectCommandOutput): Readable {
  if (body instanceof Readable) return body;
  throw new BlobError('store_failed', 'The store gave an object no body');
}
