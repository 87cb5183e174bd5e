import { readdir } from 'node:fs/promises';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { MongoClient } from 'mongodb';
import { folderBlobs, type FolderOptions } from '../folder/folder-blobs.js';
import { mongoBlobs, type MongoOptions } from '../mongodb/mongo-blobs.js';
import { type Blobs } from '../port/blobs.js';
import { openBucket } from '../s3/bucket.js';
import { s3Blobs, type S3Options } from '../s3/s3-blobs.js';

/** Where an adapter keeps blobs, as JSON: specs give it to processes of their own. */
export type StorePlace =
  | { readonly kind: 'folder'; readonly options: FolderOptions }
  | { readonly kind: 'mongodb'; readonly options: MongoOptions }
  | { readonly kind: 's3'; readonly options: S3Options };

export function openStore(place: StorePlace): Blobs {
  switch (place.kind) {
    case 'folder':
      return folderBlobs(place.options);
    case 'mongodb':
      return mongoBlobs(place.options);
    case 's3':
      return s3Blobs(place.options);
  }
}

/**
 * Everything that is stored, by the store's own words: names of files, ids of documents, keys of objects and of
 * uploads.
 */
export function everythingIn(place: StorePlace): Promise<string[]> {
  switch (place.kind) {
    case 'folder':
      return filesIn(place.options.folder);
    case 'mongodb':
      return documentsIn(place.options);
    case 's3':
      return objectsIn(place.options);
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

async function documentsIn({ url, database }: MongoOptions): Promise<string[]> {
  const client = new MongoClient(url);
  try {
    const ids = ['blobs', 'blob_chunks', 'blob_pending'].map((name) =>
      client
        .db(database)
        .collection<{ _id: string }>(name)
        .find({}, { projection: { _id: 1 } })
        .toArray(),
    );
    return (await Promise.all(ids)).flat().map(({ _id }) => _id);
  } finally {
    await client.close();
  }
}

async function objectsIn(options: S3Options): Promise<string[]> {
  const { client, name } = openBucket(options);
  try {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: name }));
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: name }));
    return [...Contents, ...Uploads].map(({ Key = '' }) => Key);
  } finally {
    client.destroy();
  }
}
