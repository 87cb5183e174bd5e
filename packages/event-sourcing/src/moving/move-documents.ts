import { AppError } from '@scriptorium/contracts';
import { BSON, type Collection, type Document, type Filter, type MongoClient } from 'mongodb';
import { type Move } from './move.js';
import { type MovedCollection, movedCollections, withClient } from './moved-collections.js';
import { withPositions } from './moved-positions.js';
import { moveStateIn } from './move-target.js';

/** Chunks of files are the largest, with 255 KiB. */
const perBatch = 100;

/** The positions of the log that documents name. */
export async function namedPositions({ from, namespace, places }: Move): Promise<Set<bigint>> {
  const found = new Set<bigint>();
  const note = (position: bigint): bigint => {
    found.add(position);
    return position;
  };
  await withClient(from.mongodb, async (client) => {
    for (const { collection, filter } of await movedCollections(client, namespace)) {
      const name = collection.collectionName;
      if (!name.startsWith('op_')) continue;
      for await (const doc of collection.find(filter, { promoteValues: false })) withPositions(name, doc, places, note);
    }
  });
  return found;
}

/**
 * Copies all documents that are not made again from the log, with positions of the log as they are in the target's.
 * Goes on where an earlier call ended. Resolves to the number of documents by collection, once
 * all are compared.
 * @param positions `MovedLog.positions` of all `namedPositions`
 * @throws AppError `unexpected` when a collection differs at the end
 */
export async function moveDocuments(
  move: Move,
  positions: ReadonlyMap<bigint, bigint>,
  progress: (what: 'copied' | 'compared', collection: string, done: number) => void,
): Promise<ReadonlyMap<string, number>> {
  return withClient(move.from.mongodb, (from) =>
    withClient(move.to.mongodb, async (to) => {
      const counts = new Map<string, number>();
      for (const moved of await movedCollections(from, move.namespace)) {
        const target = to.db(moved.database).collection(moved.collection.collectionName);
        const copy = { move, moved, target, to, positions, progress };
        await copyCollection(copy);
        counts.set(moved.name, await compareCollection(copy));
      }
      return counts;
    }),
  );
}

interface CollectionCopy {
  move: Move;
  moved: MovedCollection;
  target: Collection;
  to: MongoClient;
  positions: ReadonlyMap<bigint, bigint>;
  progress: (what: 'copied' | 'compared', collection: string, done: number) => void;
}

async function copyCollection({ move, moved, target, to, positions, progress }: CollectionCopy): Promise<void> {
  const { name } = moved;
  const state = moveStateIn(to, move.namespace);
  const before = await state.findOne({ _id: name });
  if (before?.done === true) return;
  let done = 0;
  for await (const { docs, last } of batches({ move, moved, positions }, before?.after)) {
    const writes = docs.map((doc) => ({ replaceOne: { filter: idOf(doc), replacement: doc, upsert: true } }));
    await target.bulkWrite(writes, { ordered: false });
    await state.replaceOne({ _id: name }, { after: last, done: false }, { upsert: true });
    progress('copied', name, (done += docs.length));
  }
  await state.replaceOne({ _id: name }, { done: true }, { upsert: true });
}

/** Compares all documents, and resolves to their number. */
async function compareCollection({ move, moved, target, positions, progress }: CollectionCopy): Promise<number> {
  let done = 0;
  for await (const { docs } of batches({ move, moved, positions }, undefined)) {
    const ids: unknown[] = docs.map(({ _id }) => _id as unknown);
    const found = await target.find({ _id: { $in: ids } } as Document, { promoteValues: false }).toArray();
    const there = new Set(found.map(bytesOf));
    if (!docs.every((doc) => there.has(bytesOf(doc)))) throw differs(moved, 'a document is not that of the source');
    progress('compared', moved.name, (done += docs.length));
  }
  const count = await target.countDocuments();
  if (count !== done) throw differs(moved, `there are ${count} documents, not ${done}`);
  return done;
}

function bytesOf(doc: Document): string {
  return Buffer.from(BSON.serialize(doc)).toString('latin1');
}

function differs({ name }: MovedCollection, why: string): AppError {
  return new AppError('unexpected', [], { message: `${name} in the target is no copy of that in the source: ${why}` });
}

/** The documents as the target has them, in the order of their ids in the source. `last`: the last of these ids. */
async function* batches(
  { move, moved: { collection, filter }, positions }: Pick<CollectionCopy, 'move' | 'moved' | 'positions'>,
  after: unknown,
): AsyncGenerator<{ docs: Document[]; last: unknown }> {
  const there = (position: bigint): bigint => positions.get(position) ?? position;
  for (let last = after; ;) {
    const behind: Filter<Document> = last === undefined ? filter : { $and: [filter, { _id: { $gt: last } }] };
    const found: Document[] = await collection
      .find(behind, { promoteValues: false })
      .sort({ _id: 1 })
      .limit(perBatch)
      .toArray();
    if (found.length === 0) return;
    last = found.at(-1)?.['_id'];
    const docs = found.map((doc) => freed(withPositions(collection.collectionName, doc, move.places, there)));
    yield { docs, last };
  }
}

function idOf({ _id }: Document): Document {
  return { _id: _id as unknown };
}

/** What a replica had that has died, nobody has. */
function freed(doc: Document): Document {
  return Object.hasOwn(doc, 'owner') && Object.hasOwn(doc, 'epoch') ? { ...doc, owner: null } : doc;
}
