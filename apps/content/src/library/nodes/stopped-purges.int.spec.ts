import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openBranch, writeBranch } from '@scriptorium/contracts';
import { keyedGet } from '@scriptorium/event-sourcing';
import { branch } from '../../versions/branches/index.js';
import { ContentObjects } from '../../versions/object-store/index.js';
import { space } from '../spaces/index.js';
import { connectAsker, type Asker } from '../../test/ask.js';
import { changeContentOf, page } from '../../test/pages.js';
import { eventually, startRig, type Rig } from '../../test/own-rig.js';
import { stoppingProcesses } from '../../test/stopping.js';
import { purgeable } from './deletion.js';
import { library } from './library.js';
import { purgeNext } from './purging/purge.run.js';

/**
 * Effects of the purge of a collection with a space: two events that it begins, the branch of its change request, its
 * objects, its branch, its stream, that of the collection, two events that it ends.
 */
const most = 9;

describe('a purge whose process stops after some of its effects', () => {
  let rig: Rig;
  let ask: Asker;
  let processes: ReturnType<typeof stoppingProcesses>;
  let objects: ContentObjects;
  beforeAll(async () => {
    rig = await startRig();
    await rig.replica();
    ask = await connectAsker(rig);
    processes = stoppingProcesses(rig);
    const texts = jest.spyOn(ContentObjects.prototype, 'read');
    const seen = await newSpace({});
    await rig.send('GET', `/spaces/${seen}/content/path/page?format=markdown`);
    objects = texts.mock.contexts[0] as ContentObjects;
    texts.mockRestore();
  }, 60_000);
  afterAll(async () => {
    await ask.close();
    await processes.close();
    await rig.stop();
  });

  const post = async (path: string, body: object) => String((await rig.send('POST', path, { body })).body['id']);
  const newSpace = async (body: object): Promise<string> => {
    const id = await post(`/orgs/${rig.organization}/spaces`, { ...body, editMode: 'live', empty: true });
    await changeContentOf(rig, id, [page('Page', 'Words.')]);
    return id;
  };
  /** A collection that is deleted, with a space that has a change request. */
  const deleted = async (k: number) => {
    const node = await post(`/orgs/${rig.organization}/collections`, { title: `After ${k}` });
    const id = await newSpace({ parent: node });
    await ask(openBranch, { space: id, branch: `stopped${k}` });
    const changes = [{ operation: 'insert_page' as const, title: 'More', document: { markdown: 'More.' } }];
    await ask(writeBranch, { space: id, branch: `stopped${k}`, write: { changes } });
    expect((await rig.send('DELETE', `/collections/${node}`)).status).toBe(205);
    return { k, node, id };
  };
  const nodesOf = async () => (await rig.store.load(library, rig.organization)).nodes;
  const purge = async (effects: number, node: string) => {
    const stopping = processes.after(effects, rig.organization);
    const dropPool = jest.spyOn(objects, 'dropPool');
    dropPool.mockImplementation((pool) => {
      stopping.step();
      return ContentObjects.prototype.dropPool.call(objects, pool);
    });
    try {
      // As a run does, which knows the deletion from the timer.
      const state = await rig.store.load(library, rig.organization);
      const deletedAt = keyedGet(state.nodes, node)?.deletedAt ?? '';
      await purgeNext(stopping.store, objects, rig.organization, {
        choose: (now) => purgeable(now, { node, deletedAt }),
      });
      return 'done';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      dropPool.mockRestore();
    }
  };
  const timers = () => rig.store.database.collection<{ _id: string }>('op_timers');
  const fire = (node: string) =>
    eventually(
      async () => (await timers().updateOne({ _id: `purge_deleted:${node}` }, { $set: { due: 0 } })).matchedCount === 1,
    );

  it('goes on to its end, and leaves nothing', async () => {
    const kept = await newSpace({});
    const cases: Awaited<ReturnType<typeof deleted>>[] = [];
    for (let k = 0; k <= most; k += 1) cases.push(await deleted(k));
    for (const { k, node } of cases) expect([k, await purge(k, node)]).toEqual([k, k === most ? 'done' : 'killed']);
    for (const { k, id } of cases) {
      // What has begun nobody sees or restores; before that, it is as it was.
      const [seen, restored] = [
        await rig.send('GET', `/spaces/${id}`),
        await rig.send('POST', `/spaces/${id}/restore`),
      ];
      if (k < 2) expect([seen.status, restored.status]).toEqual([200, 200]);
      else expect([k, seen.status, restored.status]).toEqual([k, 404, 404]);
    }
    for (const { node } of cases) await fire(node);
    const left = cases.filter(({ k }) => k >= 2);
    await eventually(async () => {
      const nodes = JSON.stringify(await nodesOf());
      return cases.every(({ node }) => !nodes.includes(node)) && left.every(({ id }) => !nodes.includes(id));
    }, 60_000);
    const found = rig.store.database.collection<{ _id: string }>('op_objects');
    for (const { k, id } of left) {
      expect([k, (await rig.store.load(space, id)).status]).toEqual([k, 'absent']);
      for (const one of [id, `stopped${k}`]) expect((await rig.store.load(branch, one)).status).toBe('absent');
      expect([k, await found.countDocuments({ _id: { $gte: `${id}/`, $lt: `${id}0` } })]).toEqual([k, 0]);
    }
    for (const id of [kept, ...cases.filter(({ k }) => k < 2).map((one) => one.id)]) {
      const { body } = await rig.send('GET', `/spaces/${id}/content/path/page?format=markdown`);
      expect(body['markdown']).toContain('Words.');
    }
    const { body } = await rig.send('GET', '/operator/content/consumers?limit=1000');
    for (const { name } of body.items.filter(({ kind }) => kind === 'projection')) {
      const rebuilt = await rig.send('POST', `/operator/content/projections/${String(name)}/rebuild`);
      expect([name, rebuilt.body['equal']]).toEqual([name, true]);
    }
  }, 180_000);

  it('goes on in further steps when there is too much in a space for one', async () => {
    const { node, id } = await deleted(99);
    const drop = Reflect.get(ContentObjects.prototype, 'dropPool');
    let parts = 3;
    const dropPool = jest.spyOn(ContentObjects.prototype, 'dropPool').mockImplementation(function (
      this: ContentObjects,
      ...given
    ) {
      parts -= 1;
      return parts > 0 ? Promise.resolve(false) : drop.apply(this, given);
    });
    await fire(node);
    await eventually(async () => !JSON.stringify(await nodesOf()).includes(node), 30_000);
    dropPool.mockRestore();
    expect(parts).toBe(0);
    expect((await rig.store.load(space, id)).status).toBe('absent');
    const { body } = await rig.send('GET', '/operator/content/timers?limit=1000');
    expect(body.items.map((item) => item['id'])).toContain(`drop_late_objects:${id}`);
  }, 60_000);

  it('removes later what a request had stored just after it', async () => {
    const { node, id } = await deleted(98);
    await fire(node);
    await eventually(async () => !JSON.stringify(await nodesOf()).includes(node), 30_000);
    const text = { name: 'late', text: '"late"' };
    await objects.store(id, [text]);
    const late = { _id: `drop_late_objects:${id}` };
    await eventually(async () => (await timers().updateOne(late, { $set: { due: 0 } })).matchedCount === 1);
    await eventually(async () => (await objects.list(id, { after: '', limit: 1 })).length === 0, 20_000);
  }, 60_000);
});
