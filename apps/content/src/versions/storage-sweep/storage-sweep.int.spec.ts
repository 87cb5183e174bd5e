import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ContentVerification } from '@scriptorium/contracts';
import { eventually, startRig, type Rig } from '../../test/rig-with-store.js';
import { makeSpace } from '../../test/spaces.js';

describe('pools of objects', () => {
  let rig: Rig;
  let org: string;
  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
    org = `/orgs/${rig.organization}`;
  }, 60_000);
  afterAll(() => rig.stop());

  const write = async (space: string, title: string, markdown: string) => {
    const changes = [{ operation: 'insert_page', title, document: { markdown } }];
    expect((await rig.send('POST', `/spaces/${space}/content`, { body: { changes } })).status).toBe(200);
  };
  const collection = (name: string) => rig.store.database.collection<{ _id: string; at?: number }>(name);
  const ofPool = (pool: string) => ({ _id: { $gte: `${pool}/`, $lt: `${pool}0` } });
  /** Everything in the database of content, as bytes, with compressed texts as they are. */
  const namesOf = async (pool: string) =>
    new Set((await collection('op_objects').find(ofPool(pool)).toArray()).map(({ _id }) => _id));
  const noOpenRuns = () =>
    eventually(async () => (await rig.send('GET', '/operator/content/runs?open=true')).body['count'] === 0, 20_000);
  const fire = (id: string) =>
    eventually(
      async () => (await collection('op_timers').updateOne({ _id: id }, { $set: { due: 0 } })).matchedCount === 1,
    );
  const purge = async (space: string) => {
    await rig.send('DELETE', `/spaces/${space}`);
    await fire(`purge_deleted:${space}`);
    await eventually(
      async () =>
        (await rig.send('GET', `${org}/audit-events?action=space_purged&target=${space}`)).body['count'] === 1,
      20_000,
    );
  };
  const verify = async () => {
    const begun = ContentVerification.parse((await rig.send('POST', '/operator/content/verifications')).body);
    expect(begun).toMatchObject({ object: 'content-verification' });
    const path = `/operator/content/verifications/${begun.id}`;
    await eventually(async () => (await rig.send('GET', path)).body['status'] === 'done', 20_000);
    return ContentVerification.parse((await rig.send('GET', path)).body);
  };

  it('keep what other spaces read, and lose the rest, when a space is purged', async () => {
    const source = await makeSpace(rig);
    await write(source, 'Shared', 'Words of both.');
    const copy = String((await rig.send('POST', `/spaces/${source}/duplicate`)).body['id']);
    const shared = await namesOf(source);
    await write(source, 'Own', 'Words that go.');
    await write(copy, 'Other', 'Words that stay.');
    const all = await namesOf(source);
    // A week is over, in which nothing was stored.
    await collection('op_objects').updateMany({}, { $set: { at: 0 } });
    await purge(source);
    await eventually(async () => (await namesOf(source)).size < all.size, 20_000);
    await noOpenRuns();
    const left = await namesOf(source);
    expect([...shared].every((name) => left.has(name) || !all.has(name))).toBe(true);
    const pages = (await rig.send('GET', `/spaces/${copy}/content/pages`)).body;
    expect(JSON.stringify(pages)).toContain('Other');
    expect((await rig.send('GET', `/spaces/${copy}/content/path/shared?format=markdown`)).body['markdown']).toContain(
      'Words of both.',
    );
    expect(await collection('op_marks').countDocuments()).toBe(0);
    expect((await verify()).result).toMatchObject({ sound: true, missing: 0, corrupt: 0, unreachable: 0 });
  }, 60_000);

  it('keep for a day what was just stored, and look at it again', async () => {
    const source = await makeSpace(rig);
    await write(source, 'Shared', 'Words of both, again.');
    await rig.send('POST', `/spaces/${source}/duplicate`);
    await write(source, 'Own', 'Words that go later.');
    const before = await namesOf(source);
    await purge(source);
    const next = `sweep_pool:${source}:1`;
    await eventually(async () => (await collection('op_timers').countDocuments({ _id: next })) === 1, 20_000);
    expect((await namesOf(source)).size).toBe(before.size);
    await collection('op_objects').updateMany({}, { $set: { at: 0 } });
    await fire(next);
    await eventually(async () => (await namesOf(source)).size < before.size, 20_000);
    await noOpenRuns();
  }, 60_000);

  it('are verified: what is missing or not what its name says is counted and named', async () => {
    const space = await makeSpace(rig);
    await write(space, 'Whole', 'Nothing is wrong here.');
    expect((await verify()).result).toMatchObject({ sound: true });
    await write(space, 'Damaged', 'This will be another text.');
    await write(space, 'Lost', 'This will be gone.');
    const objects = await rig.store.database
      .collection<{ _id: string; text: unknown }>('op_objects')
      .find(ofPool(space))
      .toArray();
    const [one, other] = objects.filter(({ _id }) => _id.length > 0).slice(0, 2);
    if (one === undefined || other === undefined) throw new Error('nothing was stored');
    const raw = rig.store.database.collection<{ _id: string; text: unknown }>('op_objects');
    await raw.deleteOne({ _id: one._id });
    const { result } = await verify();
    expect(result).toMatchObject({ sound: false, missing: 1, corrupt: 0, named: [one._id] });
    await raw.insertOne({ ...one, text: other.text });
    expect((await verify()).result).toMatchObject({ sound: false, missing: 0, named: [one._id] });
    await raw.replaceOne({ _id: one._id }, { text: one.text });
    expect((await verify()).result).toMatchObject({ sound: true });
  }, 60_000);

  it('are verified for operators alone', async () => {
    const member = await rig.member('Mem Ber', 'admin');
    for (const [method, path] of [
      ['POST', '/operator/content/verifications'],
      ['GET', '/operator/content/verifications/none'],
    ] as const)
      expect((await rig.send(method, path, { token: member.token })).status).toBe(403);
    expect((await rig.send('GET', '/operator/content/verifications/none')).status).toBe(404);
  });
});
