import { below, type Collections, removeRange } from './collections.js';
import { discardUpload } from './draft.js';

/** Removes the name first. A note about the chunks stands until they are gone, too: a sweep finds it after a crash. */
export async function removeBlob(collections: Collections, pool: string, hash: string): Promise<void> {
  const _id = `${pool}/${hash}`;
  const blob = await collections.blobs.findOne({ _id });
  if (blob === null) return;
  await collections.pending.updateOne(
    { _id: `${pool}/${blob.upload}` },
    { $setOnInsert: { begun: new Date(), hash } },
    { upsert: true },
  );
  await collections.blobs.deleteOne({ _id, upload: blob.upload });
  await discardUpload(collections, pool, blob.upload);
}

export async function removePool(collections: Collections, pool: string): Promise<void> {
  for (const name of ['blobs', 'chunks', 'pending'] as const) await removeRange(collections, name, below(pool));
}

const PAGE = 100;

/** Removes chunks of uploads begun before `olderThan` to which no blob refers. @returns how many uploads that were */
export async function sweepUploads(collections: Collections, olderThan: number): Promise<number> {
  let removed = 0;
  let after = '';
  for (;;) {
    const old = { _id: { $gt: after }, begun: { $lt: new Date(olderThan) } };
    const page = await collections.pending
      .find(old, { projection: { _id: 1 }, sort: { _id: 1 }, limit: PAGE })
      .toArray();
    for (const { _id } of page) if (await sweepUpload(collections, _id)) removed++;
    const last = page.at(-1);
    if (last === undefined) return removed;
    after = last._id;
  }
}

async function sweepUpload(collections: Collections, id: string): Promise<boolean> {
  const [pool = '', upload = ''] = id.split('/');
  // From here on its writer cannot give it a name; one that is giving it just now takes it back.
  await collections.pending.updateOne({ _id: id }, { $set: { swept: true } });
  const note = await collections.pending.findOne({ _id: id });
  if (note === null) return false;
  const blob = note.hash === undefined ? null : await collections.blobs.findOne({ _id: `${pool}/${note.hash}` });
  if (blob?.upload !== upload) {
    await discardUpload(collections, pool, upload);
    return true;
  }
  // The writer ended between the name and the note.
  await collections.pending.deleteOne({ _id: id });
  return false;
}
