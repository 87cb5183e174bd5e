import type { StoreScope } from '@scriptorium/event-sourcing';
import { diff, EMPTY_ROOT } from '@scriptorium/tree';
import type { FileRecord } from '../files/index.js';
import type { ContentObjects } from '../objects/index.js';
import { keys } from '../pages/index.js';
import { branches } from './branch.projection.js';
import { revisions } from './revision.projection.js';

/** Removes the bytes of files in a pool that no revision of any space has, but for one space, which is being deleted. Safe to repeat. */
export async function dropUnusedFiles(
  store: StoreScope,
  objects: ContentObjects,
  { pool, but }: { pool: string; but: string },
): Promise<void> {
  if (!(await objects.files.hasFiles(pool))) return;
  const used = new Set<string>();
  for await (const { _id, head } of store.read(branches).find({ pool, space: { $ne: but } })) {
    let before = EMPTY_ROOT;
    const history = store.read(revisions).find({ branch: _id }).sort({ number: 1 });
    // From one revision to the next only what differs is looked at.
    for await (const { tree } of history) {
      await addHashes(objects, { pool, before, after: tree }, used);
      before = tree;
    }
    await addHashes(objects, { pool, before, after: head?.tree ?? before }, used);
  }
  await objects.files.dropUnused(pool, (hash) => used.has(hash));
}

async function addHashes(
  objects: ContentObjects,
  { pool, before, after }: { pool: string; before: string; after: string },
  used: Set<string>,
): Promise<void> {
  for await (const { after: file } of diff(objects.partsOf(pool), before, after, { prefix: keys.files }))
    if (file !== undefined) used.add((file as never as FileRecord).hash);
}
