import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { analysed, isAnalysed, isQuiet, miscounted, seenClusters } from '../test/analysed.js';
import { createPeople, said, type ConversationRig } from '../test/conversation-rig.js';
import { startModelServer, type ModelServer } from '../test/model-server.js';
import { eventually, startRig, type Rig } from '../test/own-rig.js';
import { get } from '../test/rig.js';

jest.setTimeout(90_000);

/** Words that mean the same, whatever the language. */
const meanings = [/car|vehicle|auto/i, /bill|invoice|rechnung/i, /parcel|package|paket/i, /password|login/i];

/** A vector in which texts of one meaning are alike. */
const byMeaning =
  (length: number) =>
  (text: string): number[] => {
    const found = meanings.findIndex((words) => words.test(text));
    return Array.from({ length }, (_, n) => (n === found ? 1 : 0.05));
  };

describe('a model of embeddings', () => {
  let server: ModelServer;
  let world: ConversationRig<Rig>;
  beforeAll(async () => {
    server = await startModelServer();
    server.vectorOf = byMeaning(8);
    const place = { CONVERSATIONS_EMBEDDINGS_URL: server.url, CONVERSATIONS_EMBEDDINGS_MODEL: 'small' };
    world = await createPeople(await startRig(place));
  }, 90_000);
  beforeEach(async () => {
    await eventually(() => isQuiet(world), 30_000);
    server.embedded.length = 0;
    server.status = 200;
    server.headers = {};
  });
  afterAll(async () => {
    await world.rig.stop();
    await server.stop();
  });

  const collection = <T extends object>(name: string) => world.rig.store.database.collection<T>(name);
  const send = async (...conversations: unknown[]): Promise<void> => {
    expect(await world.ingest(conversations)).toBe(204);
    await analysed(world);
  };
  const issueOf = async (id: string) => {
    const path = `${world.org}/conversations-issues?conversation=${await world.idOf(id)}`;
    const { items } = await world.done('GET', path);
    return items[0]?.['issue'] as { id: string; cluster?: string } | undefined;
  };
  const clusterOf = async (id: string): Promise<string> => String((await issueOf(id))?.cluster);
  const outages = () => collection<{ _id: string; since: number }>('op_embedding_outages');
  let moment = 0;
  /** The moment for which a command was put off has come. Whether one was. */
  const come = async (command = 'analyse_conversations'): Promise<boolean> => {
    const timers = collection<{ _id: string; at: number; due: number }>('op_timers');
    // Each is another one: a run is named by its moment.
    moment += 1;
    const putOff = { _id: `${command}:${world.rig.organization}`, due: { $gt: Date.now() } };
    return (await timers.updateOne(putOff, { $set: { at: moment, due: moment } })).matchedCount === 1;
  };
  /** Lets an analysis that is put off go on at once, as often as it is put off. */
  const analysedAtOnce = () =>
    eventually(async () => {
      await come();
      return isAnalysed(world);
    }, 30_000);
  const vectors = async () =>
    collection<{ _id: string; vector?: { version: string } }>('op_conversation_texts')
      .find({ vector: { $exists: true } })
      .toArray();

  it('brings issues together that mean the same in other words and languages', async () => {
    await send(
      said('car-1', 'My car does not start any more'),
      said('car-2', 'The vehicle is broken again, write to ann@example.org'),
      said('car-3', 'Das Auto springt heute nicht an'),
      said('bill', 'There is an error in the invoice of May'),
    );
    const found = await Promise.all(['car-1', 'car-2', 'car-3', 'bill'].map(clusterOf));
    expect([new Set(found).size, new Set(found.slice(0, 3)).size]).toEqual([2, 1]);
    expect(miscounted(await seenClusters(world))).toEqual([]);
    expect(JSON.stringify(server.embedded)).not.toContain('ann@');
    // The length of vectors is asked for once, and then all at once.
    expect(server.embedded.map((texts) => texts.length)).toEqual([1, 4]);
    const { issue } = await world.done(
      'GET',
      `${world.org}/conversations-issues/${String((await issueOf('car-1'))?.id)}`,
    );
    expect(get(issue, 'why')).toContain('car');
  });

  it('that fails lets issues wait, and they are compared when it is there again', async () => {
    server.status = 503;
    expect(await world.ingest(said('bill-2', 'Where can I download the bill?'))).toBe(204);
    await eventually(async () => (await outages().countDocuments({})) === 1);
    expect((await world.done('GET', `${world.org}/conversations?processed=false`))['count']).toBe(1);
    expect((await world.done('GET', `${world.org}/conversations-clusters?status=analysing`))['count']).toBe(2);
    // Each request is sent once more.
    expect(server.embedded.length).toBe(2);
    server.status = 200;
    await analysedAtOnce();
    expect(await clusterOf('bill-2')).toBe(await clusterOf('bill'));
    expect(await outages().countDocuments({})).toBe(0);
  });

  it('that says how long to wait is asked again then, and at the end of an hour at the latest', async () => {
    Object.assign(server, { status: 429, headers: { 'retry-after': '1800' } });
    const timers = collection<{ _id: string; at: number }>('op_timers');
    const _id = `analyse_conversations:${world.rig.organization}`;
    const before = Date.now();
    await world.ingest(said('bill-3', 'The bill of June is missing'));
    await eventually(async () => Number((await timers.findOne({ _id }))?.at) >= before + 1_800_000);
    expect(server.embedded.length).toBe(1);
    // The same outage goes on after such a pause.
    const since = before - 2_400_000;
    await outages().updateMany({}, { $set: { since, askedAt: before - 1_800_000 } });
    await eventually(() => come());
    await eventually(async () => Number((await timers.findOne({ _id }))?.at) === since + 3_600_000);
    Object.assign(server, { status: 200, headers: {} });
    await analysedAtOnce();
    expect(await clusterOf('bill-3')).toBe(await clusterOf('bill'));
  });

  it('that fails for an hour is left out, and its clusters are those of the others', async () => {
    server.status = 500;
    await world.ingest([
      said('car-4', 'My car does not start any more today'),
      said('parcel', 'The parcel has never been delivered'),
    ]);
    await eventually(async () => (await outages().countDocuments({})) === 1);
    await outages().updateMany({}, { $set: { since: 0 } });
    await analysedAtOnce();
    expect(await clusterOf('car-4')).toBe(await clusterOf('car-1'));
    const recorded = collection<{ _id: string; vectors?: string }>('conversation_issue_v1');
    expect((await recorded.findOne({ _id: (await issueOf('parcel'))?.id ?? '' }))?.vectors).toMatch(/^terms-/);
    expect((await recorded.findOne({ _id: (await issueOf('car-1'))?.id ?? '' }))?.vectors).toBe('openai small 8');
    // The analysis that goes without the model has ended: another one asks it again.
    await eventually(() => isQuiet(world), 30_000);
    server.status = 200;
    await send(said('parcel-2', 'Das Paket ist nicht angekommen'));
    expect(await clusterOf('parcel-2')).toBe(await clusterOf('parcel'));
    expect(server.embedded.flat()).toContain('The parcel has never been delivered');
  });

  it('brings clusters together at night that were made without it', async () => {
    server.status = 500;
    await world.ingest([
      said('login', 'Nobody can use the login page'),
      said('password', 'How is a password changed for others?'),
    ]);
    await eventually(async () => (await outages().countDocuments({})) === 1);
    await outages().updateMany({}, { $set: { since: 0 } });
    await analysedAtOnce();
    expect(await clusterOf('login')).not.toBe(await clusterOf('password'));
    await eventually(() => isQuiet(world), 30_000);
    server.status = 200;
    await eventually(() => come('analyse_conversations_at_night'));
    await eventually(async () => (await clusterOf('login')) === (await clusterOf('password')), 30_000);
    expect(miscounted(await seenClusters(world))).toEqual([]);
  });

  it('that is another one compares new issues with those that are there, which stay where they are', async () => {
    const before = await clusterOf('car-1');
    server.vectorOf = byMeaning(12);
    await world.ingest(said('car-5', 'A vehicle was delivered without keys'));
    await eventually(() => server.embedded.length > 0);
    await analysedAtOnce();
    expect([await clusterOf('car-1'), await clusterOf('car-5')]).toEqual([before, before]);
    const versions = new Set((await vectors()).map(({ vector }) => vector?.version));
    expect([...versions]).toEqual(['openai small 12']);
  });

  it('holds up no analysis when no issue of a cluster can be read', async () => {
    await send(said('password-2', 'Where is the password changed?'));
    const cluster = await clusterOf('password-2');
    const { items } = await world.done('GET', `${world.org}/conversations-clusters/${cluster}/issues?limit=1000`);
    const owners = items.map(({ issue }) => String(get(issue, 'conversation')));
    const part = { $regex: `/(${owners.join('|')})/[^/]+/issue` };
    expect((await collection<{ _id: string }>('op_conversation_texts').deleteMany({ _id: part })).deletedCount).toBe(
      items.length,
    );
    server.vectorOf = byMeaning(16);
    await world.ingest(said('car-6', 'The auto is too loud'));
    await eventually(() => server.embedded.length > 0);
    await analysedAtOnce();
    expect(await clusterOf('car-6')).toBe(await clusterOf('car-1'));
    const version = 'openai small 16';
    const [centroid] = await collection('op_cluster_centroids').find({ id: cluster }).toArray();
    expect(centroid).toMatchObject({ version, size: 0 });
  });

  it('is sent nothing of an organization that does not want it', async () => {
    await world.done('PATCH', world.org, { ai: false });
    await send(said('private', 'My car does not start any more'));
    expect(await clusterOf('private')).toBe(await clusterOf('car-1'));
    expect(server.embedded).toEqual([]);
    await eventually(() => isQuiet(world), 30_000);
    await world.done('PATCH', world.org, { ai: true });
  });

  it('is not asked when read models are rebuilt, and its vectors go with their conversation', async () => {
    const { items } = await world.done('GET', '/operator/conversations/consumers?limit=1000');
    for (const { name } of items.filter(({ kind }) => kind === 'projection')) {
      const rebuilt = await world.done('POST', `/operator/conversations/projections/${String(name)}/rebuild`);
      expect([name, rebuilt['equal']]).toEqual([name, true]);
    }
    expect(server.embedded).toEqual([]);
    const conversation = await world.idOf('car-5');
    const own = async () => (await vectors()).filter(({ _id }) => _id.includes(conversation)).length;
    expect(await own()).toBe(1);
    const cluster = await clusterOf('car-5');
    expect((await world.send('DELETE', `${world.org}/conversations/${conversation}`)).status).toBe(205);
    expect(await own()).toBe(0);
    await eventually(
      async () => (await collection('op_cluster_centroids').countDocuments({ id: cluster, size: 5 })) === 0,
    );
  });
});
