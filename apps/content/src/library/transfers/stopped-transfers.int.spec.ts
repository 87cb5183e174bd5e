import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { limitPresets } from '@scriptorium/contracts';
import { beginTransfer, endTransfer, library } from '../nodes/index.js';
import { ContentObjects } from '../../versions/object-store/index.js';
import { space } from '../spaces/index.js';
import { changeContentOf, page } from '../../test/pages.js';
import { eventually, startRig, type Rig } from '../../test/own-rig.js';
import { stoppingProcesses } from '../../test/stopping.js';
import { followTransfer } from './follow-transfer.process.js';

/** Events of the transfer of a collection with two spaces: began, entered, left, three streams that follow, settled. */
const most = 7;

describe('a transfer whose process stops after some of its events', () => {
  let rig: Rig;
  let processes: ReturnType<typeof stoppingProcesses>;
  let objects: ContentObjects;
  let target: string;
  beforeAll(async () => {
    rig = await startRig();
    await rig.replica();
    processes = stoppingProcesses(rig);
    target = String((await rig.send('POST', '/orgs', { body: { title: 'Target' } })).body['id']);
    const texts = jest.spyOn(ContentObjects.prototype, 'read');
    await readText(await newSpace({}, 'Seen'));
    objects = texts.mock.contexts[0] as ContentObjects;
    texts.mockRestore();
  }, 60_000);
  afterAll(async () => {
    await processes.close();
    await rig.stop();
  });

  const post = async (path: string, body: object) => String((await rig.send('POST', path, { body })).body['id']);
  const newSpace = async (body: object, text: string): Promise<string> => {
    const id = await post(`/orgs/${rig.organization}/spaces`, { ...body, editMode: 'live', empty: true });
    await changeContentOf(rig, id, [page('Page', text)]);
    return id;
  };
  const readText = async (id: string) =>
    (await rig.send('GET', `/spaces/${id}/content/path/page?format=markdown`)).body['markdown'];
  const organizationOf = async (id: string) => {
    const known = await rig.store.load(space, id);
    return known.status === 'active' ? known.organization : undefined;
  };
  const listed = async (within: string) =>
    (await rig.send('GET', `/orgs/${within}/spaces?limit=1000`)).body.items.map(({ id }) => String(id));
  /** What the process of a request does. */
  const transfer = async (effects: number, { node, transfer: id }: { node: string; transfer: string }) => {
    const { store } = processes.after(effects, rig.organization);
    const [from, to] = [rig.organization, target];
    await store.handle(library, from, (state) => beginTransfer(state, { transfer: id, node, to, parent: null }));
    await endTransfer(store, { from, transfer: id, limits: limitPresets });
    await followTransfer({ store }, objects, { from, to, transfer: id, after: 0 });
  };

  it('is in one organization with everything in it, as before or as after it', async () => {
    const cases: { k: number; spaces: string[] }[] = [];
    for (let k = 0; k <= most; k += 1) {
      const node = await post(`/orgs/${rig.organization}/collections`, { title: `After ${k}` });
      const spaces = [await newSpace({ parent: node }, `First ${k}`), await newSpace({ parent: node }, `Second ${k}`)];
      cases.push({ k, spaces });
      const isDone = await transfer(k, { node, transfer: `stopped-${k}` }).then(
        () => true,
        () => false,
      );
      expect([k, isDone]).toEqual([k, k === most]);
      // Each list has all of it or nothing of it. Two requests could be answered before and after the moment that moves
      // it.
      const there = new Set(await listed(target));
      expect([0, spaces.length]).toContain(spaces.filter((id) => there.has(id)).length);
    }
    const after = (k: number) => (k === 0 ? rig.organization : target);
    for (const { k, spaces } of cases)
      await eventually(async () => {
        const owners = await Promise.all(spaces.map(organizationOf));
        return owners.every((owner) => owner === after(k));
      });
    await eventually(async () => {
      const [here, there] = [await rig.store.load(library, rig.organization), await rig.store.load(library, target)];
      const arrivals = JSON.stringify(there.arrivals);
      return here.departures.size === 0 && !arrivals.includes('entered') && there.arrivals.size === most;
    });
    const moved = cases.filter(({ k }) => k > 0).flatMap(({ spaces }) => spaces);
    // The streams say it before the read models show it.
    await eventually(async () => {
      const [here, there] = [new Set(await listed(rig.organization)), new Set(await listed(target))];
      return moved.every((id) => there.has(id) && !here.has(id));
    });
    const [here, there] = [await listed(rig.organization), await listed(target)];
    for (const { k, spaces } of cases)
      for (const [at, id] of spaces.entries()) {
        expect([k, here.includes(id), there.includes(id)]).toEqual([k, k === 0, k > 0]);
        expect(await readText(id)).toContain(`${['First', 'Second'][at]} ${k}`);
      }
    expect(new Set(there).size).toBe(there.length);
  }, 180_000);

  it('leaves read models that say what the log says', async () => {
    const { body } = await rig.send('GET', '/operator/content/consumers?limit=1000');
    for (const { name } of body.items.filter(({ kind }) => kind === 'projection')) {
      const rebuilt = await rig.send('POST', `/operator/content/projections/${String(name)}/rebuild`);
      expect([name, rebuilt.body['equal']]).toEqual([name, true]);
    }
  }, 120_000);
});
