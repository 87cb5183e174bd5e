import { copyThrough } from '../port/copy.js';
import { type Collections } from './collections.js';
import { draftIn } from './draft.js';
import { readChunks } from './read.js';

/** Writes the chunks of a blob again, for another pool. */
export async function copyBlob(collections: Collections, from: string, to: string, hash: string): Promise<boolean> {
  if ((await collections.blobs.findOne({ _id: `${to}/${hash}` })) !== null) return true;
  const found = await readChunks(collections, from, hash, undefined);
  if (found === undefined) return false;
  await copyThrough(found, hash, () => draftIn(collections, to));
  return true;
}
