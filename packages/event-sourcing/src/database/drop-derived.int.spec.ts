import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MongoServer, startMongoServer } from '@scriptorium/embedded/mongodb';
import { MongoClient } from 'mongodb';
import { dropDerived } from './drop-derived.js';

let server: MongoServer;
let client: MongoClient;
beforeAll(async () => {
  server = await startMongoServer();
  client = await new MongoClient(server.url).connect();
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

const namesIn = async (database: string) =>
  (await client.db(database).listCollections().toArray()).map(({ name }) => name).sort();

describe('what is derived from the log', () => {
  it('goes from the databases of services, and nothing else does', async () => {
    const service = client.db('scriptorium_identity');
    for (const name of ['team_v2', 'op_snapshots', 'op_gone', 'op_answers', 'op_passwords', 'op_objects'])
      await service.collection(name).insertOne({ n: 1 });
    const consumers = service.collection<{ _id: string }>('op_consumers');
    await consumers.insertMany([{ _id: 'team_v2' }, { _id: 'reactor_mail_v1' }]);
    await client.db('other').collection('team_v2').insertOne({ n: 1 });
    await dropDerived(server.url, ['op_answers', 'op_that_is_not_there']);
    expect(await namesIn('scriptorium_identity')).toEqual(['op_consumers', 'op_objects', 'op_passwords']);
    expect(await consumers.find().toArray()).toEqual([{ _id: 'reactor_mail_v1' }]);
    expect(await namesIn('other')).toEqual(['team_v2']);
  });
});
