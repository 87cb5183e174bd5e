import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { filesWith } from '@scriptorium/testing';
import { analysed } from '../test/analysed.js';
import { createPeople, said, type ConversationRig } from '../test/conversation-rig.js';
import { eventually, startRig, type Rig } from '../test/own-rig.js';

const day = 86_400_000;

/** What goes with organizations, and with time. */
describe('conversations', () => {
  let world: ConversationRig<Rig>;
  let isStopped: boolean;
  beforeEach(async () => {
    isStopped = false;
    world = await createPeople(await startRig());
  }, 60_000);
  afterEach(() => (isStopped ? undefined : world.rig.stop()));

  const count = (collection: string, filter: object = {}) =>
    world.rig.store.database.collection(collection).countDocuments(filter);
  const rebuildAll = async (): Promise<void> => {
    const { items } = await world.done('GET', '/operator/conversations/consumers?limit=1000');
    for (const { name } of items.filter(({ kind }) => kind === 'projection')) {
      const rebuilt = await world.done('POST', `/operator/conversations/projections/${String(name)}/rebuild`);
      expect([name, rebuilt['equal']]).toEqual([name, true]);
    }
  };
  /** Removes deleted data from disk, stops everything, and searches the files. */
  const search = async (words: readonly string[]): Promise<string[]> => {
    await world.rig.scavenge();
    let found: string[] = [];
    isStopped = true;
    await world.rig.stop(async (folder) => void (found = await filesWith(folder, words)));
    return found;
  };

  it('go with their organization', async () => {
    const doomed = String((await world.done('POST', '/orgs', { title: 'Doomed' }))['id']);
    // More than a step deletes, in parts that a busy machine stores in time.
    for (const part of [0, 1]) {
      const many = Array.from({ length: 120 }, (_, n) => said(`quillfeather-${part}-${n}`, `Birdbrowser ${part} ${n}`));
      expect((await world.send('POST', `/orgs/${doomed}/conversations`, many)).status).toBe(204);
    }
    await world.ingest(said('stays', 'Unmistakable'));
    await analysed({ ...world, org: `/orgs/${doomed}` });
    expect((await world.send('DELETE', `/orgs/${doomed}`)).status).toBe(205);
    const gone = async (collection: string) => (await count(collection, { organization: doomed })) === 0;
    for (const collection of ['conversation_issue_v1', 'issues_cluster_v1', 'op_cluster_centroids'])
      await eventually(() => gone(collection), 30_000);
    const texts = { _id: { $gte: `${doomed}/`, $lt: `${doomed}0` } };
    await eventually(async () => (await count('op_conversation_texts', texts)) === 0, 30_000);
    await eventually(async () => (await count('conversation_v1', { organization: doomed })) === 0, 30_000);
    expect(await count('conversation_v1', { organization: world.rig.organization })).toBe(1);
    await eventually(
      async () =>
        (await world.done('GET', '/operator/conversations/runs')).items.every(({ status }) => status === 'done'),
      30_000,
    );
    await rebuildAll();
    expect((await world.done('GET', '/operator/conversations/parked-events')).items).toEqual([]);
    const found = await search(['Birdbrowser', 'quillfeather', 'Unmistakable']);
    expect(found.filter((file) => !file.endsWith('Unmistakable'))).toEqual([]);
    expect(found).not.toEqual([]);
  }, 120_000);

  it('that are deleted or replaced leave no text in files, log and collections', async () => {
    await world.ingest([
      said('Zyxwvut', 'Hadestroop in a text', { subject: 'Ferryman' }),
      said('other', 'Quillfeather export fails'),
    ]);
    await analysed(world);
    expect((await world.done('GET', `${world.org}/conversations-issues`))['count']).toBe(2);
    await world.ingest(said('other', 'Said in another way'));
    await analysed(world);
    expect((await world.send('DELETE', `${world.org}/conversations/${await world.idOf('Zyxwvut')}`)).status).toBe(205);
    await rebuildAll();
    const words = ['Hadestroop', 'Ferryman', 'Zyxwvut', 'Quillfeather'];
    expect(await search(words)).toEqual([]);
  }, 120_000);

  it('leave no text that was stored by a process which ended before it recorded what names it', async () => {
    interface Text {
      _id: string;
      json: string;
      pendingSince?: number;
    }
    const { organization, store } = world.rig;
    const texts = store.database.collection<Text>('op_conversation_texts');
    const isPending = { pendingSince: { $exists: true } };
    await world.ingest([said('here', 'The PDF export fails'), said('gone', 'Quillfeather is not found')]);
    await analysed(world);
    await eventually(async () => (await texts.countDocuments(isPending)) === 0);
    const [here, gone] = [await world.idOf('here'), await world.idOf('gone')];
    const { items } = await world.done('GET', `${world.org}/conversations-clusters`);
    await world.done('DELETE', `${world.org}/conversations/${gone}`);
    const of = (owner: string) => {
      const path = `${organization}/${owner}`;
      return texts.find({ _id: { $gte: `${path}/`, $lt: `${path}0` } }).toArray();
    };
    const [known] = await of(here);
    const left = [`${gone}/t/head`, `${gone}/t/issue0`, `${here}/t/body`, `never/t/body`]
      .concat(`${here}/${String(known?._id.split('/')[2])}/answer`)
      .concat(items.map(({ id }) => `~${String(id)}/t/label`))
      .map((path): Text => ({ _id: `${organization}/${path}`, json: '"Hadestroop"', pendingSince: 1 }));
    await texts.insertMany([
      ...left,
      { ...left[0], json: '""', _id: `${organization}/late/t/head`, pendingSince: Date.now() },
    ]);
    await texts.updateMany({ _id: known?._id ?? '' }, { $set: { pendingSince: 1 } });
    const timers = store.database.collection<{ _id: string }>('op_timers');
    await timers.updateOne({ _id: 'check_pending_texts' }, { $set: { due: 0 } });
    await eventually(async () => (await texts.countDocuments({ json: '"Hadestroop"' })) === 0, 20_000);
    expect(await texts.countDocuments({ ...isPending, _id: { $regex: '/late/' } })).toBe(1);
    await eventually(async () => (await texts.countDocuments(isPending)) === 1);
    expect((await of(here)).map(({ _id }) => _id)).toContain(known?._id);
    expect((await world.send('GET', `${world.org}/conversations/${here}`)).status).toBe(200);
  }, 120_000);

  it('that became too old are deleted by a timer', async () => {
    const timers = () => world.rig.store.database.collection<{ _id: string }>('op_timers');
    await world.ingest([said('a', 'Old'), said('b', 'Not so old')]);
    const [old, young] = [await world.idOf('a'), await world.idOf('b')];
    await eventually(async () => (await timers().findOne({ _id: 'expire_conversations' })) !== null);
    const createdAt = new Date(Date.now() - 394 * day).toISOString();
    await world.ingest(said('a', 'Old, and older', { metadata: { createdAt } }));
    // As if two days had passed.
    const conversations = world.rig.store.database.collection<{ _id: string }>('conversation_v1');
    const before = new Date(Date.now() - 396 * day).toISOString();
    await conversations.updateOne({ _id: old }, { $set: { createdAt: before } });
    await timers().updateOne({ _id: 'expire_conversations' }, { $set: { due: 0 } });
    await eventually(async () => (await world.send('GET', `${world.org}/conversations/${old}`)).status === 404, 20_000);
    expect((await world.send('GET', `${world.org}/conversations/${young}`)).status).toBe(200);
    const { items } = await world.done('GET', `${world.org}/conversations-issues`);
    expect(items.map(({ conversation }) => (conversation as { id: string }).id)).not.toContain(old);
    await eventually(async () => (await timers().findOne({ _id: 'expire_conversations' })) !== null);
  }, 120_000);
});
