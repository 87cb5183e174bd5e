import { type Db, MongoClient } from 'mongodb';

const readModel = /_v\d+$/;
/** States of long streams, and tombstones of read models. */
const caches = ['op_snapshots', 'op_gone'];

/**
 * Removes from every database of a server what is made again from the log: read models with their checkpoints, and
 * caches. For databases that may be newer than their log, as after a restore of both: what they show may never have
 * happened.
 * @param others further collections that are of no use with another log
 */
export async function dropDerived(url: string, others: readonly string[]): Promise<void> {
  const client = new MongoClient(url);
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    for (const { name } of databases) await dropIn(client.db(name), [...caches, ...others]);
  } finally {
    await client.close();
  }
}

async function dropIn(db: Db, more: readonly string[]): Promise<void> {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  // Databases of something else have none.
  if (!names.includes('op_consumers')) return;
  const readModels = names.filter((name) => readModel.test(name) && !name.startsWith('op_'));
  // The checkpoints first: a read model without one is built from the beginning, one without documents would stay
  // empty.
  await db.collection<{ _id: string }>('op_consumers').deleteMany({ _id: { $in: readModels } });
  for (const name of [...readModels, ...more.filter((other) => names.includes(other))]) await db.dropCollection(name);
}
