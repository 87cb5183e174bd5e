import { randomUUID } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { BlobError } from '../port/error.js';
import { partBuffer } from '../port/part-buffer.js';
import { type Draft } from '../port/receive.js';
import { type Bucket, blobKey, DRAFTS, unlessMissing } from './bucket.js';
import { sizeOf } from './read.js';

/** A part but the last must have 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * What fits into one part is put under its name at once. More goes to the key of a draft in parts, and is copied by the
 * store when its name is known.
 */
export function draftIn(bucket: Bucket, pool: string): Draft {
  let upload: Upload | undefined;
  const part = partBuffer(PART_BYTES, async (bytes) => {
    upload ??= await beginUpload(bucket, `${DRAFTS}${pool}/${randomUUID()}`);
    await upload.put(bytes);
  });
  return {
    append: (bytes) => part.add(bytes),
    async publish(hash, size) {
      const key = blobKey(pool, hash);
      const isThere = (await sizeOf(bucket, key)) === size;
      if (upload === undefined) {
        if (!isThere) await put(bucket, key, part.rest());
        return;
      }
      if (!isThere) {
        await upload.put(part.rest());
        await upload.complete();
        if (!(await copyObject(bucket, upload.key, key)))
          throw new BlobError('store_failed', 'The store lost an upload before it had its name');
      }
      await upload.remove();
    },
    discard: async () => upload?.remove(),
  };
}

interface Upload {
  readonly key: string;
  put(bytes: Uint8Array): Promise<void>;
  complete(): Promise<void>;
  remove(): Promise<void>;
}

async function beginUpload({ client, name }: Bucket, key: string): Promise<Upload> {
  const at = { Bucket: name, Key: key };
  // Some stores list unfinished uploads only of a key that is known: a sweep finds it by this object.
  await client.send(new PutObjectCommand({ ...at, Body: new Uint8Array() }));
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(at));
  const parts: CompletedPart[] = [];
  return {
    key,
    async put(bytes) {
      const PartNumber = parts.length + 1;
      const { ETag } = await client.send(new UploadPartCommand({ ...at, UploadId, PartNumber, Body: bytes }));
      if (ETag === undefined) throw new BlobError('store_failed', `The store gave part ${String(PartNumber)} no ETag`);
      parts.push({ PartNumber, ETag });
    },
    async complete() {
      await client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts: parts } }));
    },
    async remove() {
      await unlessMissing(client.send(new AbortMultipartUploadCommand({ ...at, UploadId })));
      await client.send(new DeleteObjectCommand(at));
    },
  };
}

async function put({ client, name }: Bucket, key: string, bytes: Uint8Array): Promise<void> {
  await client.send(new PutObjectCommand({ Bucket: name, Key: key, Body: bytes }));
}

/** Has the store copy an object. @returns false when it is not there */
export async function copyObject({ client, name }: Bucket, from: string, to: string): Promise<boolean> {
  const copy = new CopyObjectCommand({ Bucket: name, Key: to, CopySource: `${name}/${from}` });
  return (await unlessMissing(client.send(copy))) !== undefined;
}
