import { createStore, type Store } from '@scriptorium/event-sourcing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Keyring } from '../process/keyring.js';
import { startServers, type Servers } from '../test/servers.js';
import { sealedTexts } from './sealed-texts.js';

const texts = sealedTexts({ collection: 'op_texts', owner: 'thing' });
const key = (id: string) => ({ id, bytes: Buffer.alloc(32, id) });

describe('sealed texts', () => {
  let servers: Servers;
  let store: Store;
  beforeAll(async () => {
    servers = await startServers();
    const {
      NAMESPACE: namespace = '',
      EVENTSTORE_URL: eventstoreUrl = '',
      MONGODB_URL: mongoUrl = '',
    } = servers.environment;
    store = createStore({ service: 'sealed', namespace, eventstoreUrl, mongoUrl });
    await store.start();
  }, 30_000);
  afterAll(async () => {
    await store.stop();
    await servers.stop();
  });

  const scope = (...ids: string[]) => ({
    database: store.database,
    keys: new Keyring(Buffer.alloc(32), ids.map(key)),
  });
  const documents = () => store.database.collection<{ _id: string; sealed: string }>('op_texts');

  it('are read by their names, and stored so that nobody else reads them', async () => {
    const name = { owner: 'a', version: 1 };
    await texts.add(scope('one'), name, 'Quillfeather');
    await texts.add(scope('one'), name, 'Another');
    expect(await texts.find(scope('one'), name)).toBe('Quillfeather');
    expect(await texts.find(scope('one'), { owner: 'a', version: 2 })).toBeUndefined();
    expect(JSON.stringify(await documents().find().toArray())).not.toContain('Quillfeather');
  });

  it('stay readable while the keyring has their key', async () => {
    const name = { owner: 'b', version: 'v' };
    await texts.add(scope('one'), name, 'text');
    expect(await texts.find(scope('two', 'one'), name)).toBe('text');
    await expect(texts.find(scope('two'), name)).rejects.toThrow('The keyring has no key one');
  });

  it('cannot take the place of each other', async () => {
    await texts.add(scope('one'), { owner: 'c', version: 1 }, 'first');
    await texts.add(scope('one'), { owner: 'c', version: 2 }, 'second');
    const first = await documents().findOne({ _id: 'c:1' });
    await documents().updateOne({ _id: 'c:2' }, { $set: { sealed: first?.sealed ?? '' } });
    await expect(texts.find(scope('one'), { owner: 'c', version: 2 })).rejects.toThrow();
  });

  it('are removed by name, by owner or by part', async () => {
    const [one, two] = [
      { owner: 'd', part: 'space-1', version: 'x' },
      { owner: 'd', part: 'space-2', version: 'y' },
    ];
    const other = { owner: 'e', part: 'space-2', version: 'z' };
    for (const name of [one, two, other]) await texts.add(scope('one'), name, 'text');
    expect((await texts.versions(scope('one'), { owner: 'd' })).sort()).toEqual(['x', 'y']);
    expect(await texts.versions(scope('one'), { owner: 'd', part: 'space-1' })).toEqual(['x']);
    await texts.drop(scope('one'), [one]);
    expect(await texts.versions(scope('one'), { owner: 'd' })).toEqual(['y']);
    await texts.dropAll(scope('one'), { part: 'space-2' });
    expect(await texts.versions(scope('one'), { owner: 'e' })).toEqual([]);
    await texts.add(scope('one'), other, 'text');
    await texts.dropAll(scope('one'), { owner: 'e' });
    expect(await texts.find(scope('one'), other)).toBeUndefined();
  });
});
