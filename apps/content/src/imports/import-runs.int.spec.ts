import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { FileStore } from '../files/index.js';
import { ContentObjects } from '../objects/index.js';
import { startRig, eventually, type Rig } from '../test/rig.js';
import { emptySpace, ended, exported, imported, uploaded, zipOf } from '../test/zips.js';

jest.setTimeout(120_000);

const pages = Array.from({ length: 150 }, (_, n) => [`p${n}.md`, `# Page ${n}\n\n[next](p${n + 1}.md)\n`] as const);
const files = Object.fromEntries([...pages, ['p150.md', '# Last\n\n![](dot.txt)\n'], ['dot.txt', 'dot\n']]);

/** A method as it is, for calls with another `this`. */
const methodOf = <T extends object, K extends keyof T>(of: T, name: K): T[K] => of[name];

describe('a run of an import', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ RATE_LIMIT_CONTENT_WRITE: '0' });
  }, 60_000);
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => rig.stop());

  const begin = async (space: string, more: object = {}, options: { token?: string } = {}) => {
    const key = await uploaded(rig, 'archive.zip', await zipOf(files), options.token);
    const body = { source: { type: 'file', files: [key] }, target: { space }, ...more };
    return rig.send('POST', `/orgs/${rig.organization}/imports`, { body, ...options });
  };
  const revisionsOf = async (space: string) => (await rig.send('GET', `/spaces/${space}/revisions`)).body['count'];

  it('that breaks off while it stores, takes files, and commits goes on where it was, and makes one revision', async () => {
    const space = await emptySpace(rig);
    const before = Number(await revisionsOf(space));
    const store = methodOf(ContentObjects.prototype, 'store');
    let calls = 0;
    const broken: string[] = [];
    const breakOff = (where: string): never => {
      broken.push(where);
      throw new Error(`broken off while it ${where}`);
    };
    jest.spyOn(ContentObjects.prototype, 'store').mockImplementation(async function (this: ContentObjects, ...given) {
      calls += 1;
      if (calls === 2) breakOff('stores');
      await store.apply(this, given);
      const { queue } = this;
      const run = methodOf(queue, 'run');
      if (calls === 1)
        queue.run = async (line, work) => {
          queue.run = run;
          await run(line, work);
          // The revision is recorded, and the run does not know it.
          return breakOff('commits');
        };
    });
    const keep = methodOf(FileStore.prototype, 'keep');
    jest.spyOn(FileStore.prototype, 'keep').mockImplementation(async function (this: FileStore, ...given) {
      await keep.apply(this, given);
      if (!broken.includes('takes files')) breakOff('takes files');
    });
    const { body } = await begin(space);
    const done = await ended(rig, String(body['id']));
    expect(broken).toEqual(['stores', 'takes files', 'commits']);
    expect(done).toMatchObject({ status: 'completed', report: { pages: 151, files: 1, warnings: [] } });
    expect(await revisionsOf(space)).toBe(before + 1);
    const whole = await emptySpace(rig);
    await imported(rig, whole, await exported(rig, space));
    expect((await exported(rig, whole)).equals(await exported(rig, space))).toBe(true);
  });

  it('is cancelled, also by nobody else than who began it and admins, and changes nothing', async () => {
    const space = await emptySpace(rig);
    const { token } = await rig.member('Edda Editor', 'edit');
    const other = await rig.member('Otto Other', 'edit');
    let hold = (): void => undefined;
    const held = new Promise<void>((resolve) => (hold = resolve));
    const store = methodOf(ContentObjects.prototype, 'store');
    jest.spyOn(ContentObjects.prototype, 'store').mockImplementation(async function (this: ContentObjects, ...given) {
      await held;
      await store.apply(this, given);
    });
    const { body } = await begin(space, {}, { token });
    const path = `/orgs/${rig.organization}/imports/${String(body['id'])}`;
    await eventually(async () => (await rig.send('GET', path)).body['status'] === 'in-progress');
    const listed = async (by: { token: string }, query: string) =>
      (await rig.send('GET', `/orgs/${rig.organization}/imports?${query}`, by)).body['count'];
    expect(await listed({ token }, `status=active&space=${space}`)).toBe(1);
    expect(await listed({ token }, 'status=completed')).toBe(0);
    expect(await listed(other, 'status=active')).toBe(0);
    expect((await rig.send('POST', `${path}/cancel`, other)).status).toBe(404);
    expect((await rig.send('POST', `${path}/cancel`, { token })).status).toBe(200);
    hold();
    expect(await ended(rig, String(body['id']))).toMatchObject({ status: 'cancelled' });
    expect((await rig.send('GET', `/spaces/${space}/content/pages`)).body['pages']).toEqual([]);
    expect((await rig.send('POST', `${path}/cancel`)).body).toMatchObject({ status: 'cancelled' });
  });

  it('is begun once for an idempotency key, and not at all by a dry run', async () => {
    const space = await emptySpace(rig);
    const key = await uploaded(rig, 'page.md', Buffer.from('# One\n'));
    const body = { source: { type: 'file', files: [key] }, target: { space } };
    const path = `/orgs/${rig.organization}/imports`;
    const tried = await rig.send('POST', `${path}?dryRun=true`, { body });
    expect(tried.status).toBe(201);
    expect((await rig.send('GET', `${path}/${String(tried.body['id'])}`)).status).toBe(404);
    const [first, second] = [
      await rig.send('POST', path, { body, headers: { 'idempotency-key': 'once' } }),
      await rig.send('POST', path, { body, headers: { 'idempotency-key': 'once' } }),
    ];
    expect(second.body['id']).toBe(first.body['id']);
    expect(await ended(rig, String(first.body['id']))).toMatchObject({
      status: 'completed',
      pages: [{ title: 'One', path: 'page.md' }],
    });
    const alias = `${rig.endpoint}/v1/org/${rig.organization}/imports/${String(first.body['id'])}`;
    expect((await fetch(alias, { headers: { authorization: `Bearer ${rig.owner.token}` } })).status).toBe(200);
  });

  it('leaves nothing when its organization is deleted', async () => {
    const made = await rig.send('POST', '/orgs', { body: { title: 'Other' } });
    const other = { ...rig, organization: String(made.body['id']) };
    let space = '';
    await eventually(async () => {
      space = await emptySpace(other);
      return space !== 'undefined';
    });
    await imported(other, space, { 'secret-name.md': '[gone](secret-link.md)\n' });
    const kept = async () => {
      const { database } = rig.store;
      const about = await database.collection('op_imports').countDocuments({ organization: other.organization });
      return about + (await database.collection('op_import_items').countDocuments({ 'item.path': 'secret-name.md' }));
    };
    expect(await kept()).toBe(2);
    expect((await rig.send('DELETE', `/orgs/${other.organization}`)).status).toBe(205);
    await eventually(async () => (await kept()) === 0, 30_000);
  });
});
