import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { DocumentAnalyses } from '../../reading/analysis/index.js';
import { FileStore } from '../../versions/files/index.js';
import { ContentObjects } from '../../versions/object-store/index.js';
import { changeContentOf, page } from '../../test/pages.js';
import { startRig, eventually, type Rig } from '../../test/own-rig.js';
import { emptySpace, ended, exported, imported, uploaded, zipOf } from '../../test/zips.js';
import { methodOf } from '../../test/method-of.js';
import { scopeMethods } from '../../test/scope-methods.js';

jest.setTimeout(120_000);

const pages = Array.from({ length: 150 }, (_, n) => [`p${n}.md`, `# Page ${n}\n\n[next](p${n + 1}.md)\n`] as const);
const files = Object.fromEntries([...pages, ['p150.md', '# Last\n\n![](dot.txt)\n'], ['dot.txt', 'dot\n']]);

describe('a run of an import', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
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
    });
    const scopes = scopeMethods(rig);
    const make = methodOf(scopes, 'make');
    jest.spyOn(scopes, 'make').mockImplementationOnce(async function (this: StoreScope, ...given) {
      await make.apply(this, given);
      // The revision is recorded, and the run does not know it.
      return breakOff('commits');
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

  it('is cancelled by whoever began it and by admins alone, and changes nothing then', async () => {
    const space = await emptySpace(rig);
    const { token } = await rig.member('Edda Editor', 'edit');
    const other = await rig.member('Otto Other', 'edit');
    let hold = (): void => undefined;
    const held = new Promise<void>((resolve) => (hold = resolve));
    let isStoring = false;
    const store = methodOf(ContentObjects.prototype, 'store');
    jest.spyOn(ContentObjects.prototype, 'store').mockImplementation(async function (this: ContentObjects, ...given) {
      isStoring = true;
      await held;
      await store.apply(this, given);
    });
    const { body } = await begin(space, {}, { token });
    const path = `/orgs/${rig.organization}/imports/${String(body['id'])}`;
    await eventually(() => Promise.resolve(isStoring));
    expect((await rig.send('GET', path)).body['status']).toBe('in-progress');
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
    // What it has stored goes a day later.
    const sweep = { _id: `sweep_pool:${String(body['id'])}:0` };
    await expect(rig.store.database.collection<{ _id: string }>('op_timers').countDocuments(sweep)).resolves.toBe(1);
  });

  it('that was begun before its space was locked changes nothing', async () => {
    const space = await emptySpace(rig);
    const before = await revisionsOf(space);
    let hold = (): void => undefined;
    const held = new Promise<void>((resolve) => (hold = resolve));
    const store = methodOf(ContentObjects.prototype, 'store');
    jest.spyOn(ContentObjects.prototype, 'store').mockImplementation(async function (this: ContentObjects, ...given) {
      await held;
      await store.apply(this, given);
    });
    const { body } = await begin(space);
    expect((await rig.send('PATCH', `/spaces/${space}`, { body: { editMode: 'locked' } })).status).toBe(200);
    hold();
    const done = await ended(rig, String(body['id']));
    expect(done).toMatchObject({ status: 'failed', failure: { reason: 'space_locked' } });
    expect(await revisionsOf(space)).toBe(before);
  });

  it('that was never begun, as its request was cut off, can be cancelled', async () => {
    const space = await emptySpace(rig);
    const { body } = await begin(space);
    await ended(rig, String(body['id']));
    const imports = rig.store.database.collection<{ _id: string }>('op_imports');
    const about = await imports.findOne({ _id: String(body['id']) });
    await imports.insertOne({ ...about, status: 'pending', _id: 'cut-off' } as never);
    const cancelled = await rig.send('POST', `/orgs/${rig.organization}/imports/cut-off/cancel`);
    expect([cancelled.status, cancelled.body['status']]).toEqual([200, 'cancelled']);
  });

  /** Has workers say of some files that they take too long, as of one that is made to. The files of each task. */
  const slowDown = async (isSlow: (path: string) => boolean): Promise<string[][]> => {
    const tasks: string[][] = [];
    const facts = jest.spyOn(DocumentAnalyses.prototype, 'of');
    const seen = await emptySpace(rig);
    await changeContentOf(rig, seen, [page('Seen', 'Words.')]);
    await rig.send('GET', `/spaces/${seen}/search?query=words`);
    const { workers } = facts.mock.calls[0]?.[0] ?? {};
    if (workers === undefined) throw new Error('Nothing was read');
    const run = methodOf(workers, 'run').bind(workers);
    jest.spyOn(workers, 'run').mockImplementation((task, input, options) => {
      const { files: given = [] } = input as { files?: { path: string }[] };
      if (task.name === 'read_import_files') tasks.push(given.map(({ path }) => path));
      const isCostly = task.name === 'read_import_files' && given.some(({ path }) => isSlow(path));
      return isCostly ? Promise.reject(task.tooCostly()) : run(task, input, options);
    });
    return tasks;
  };

  it('takes over a page that takes too long to be read without its text, and says so', async () => {
    await slowDown((path) => path === 'slow.md' || path === '.gitbook/includes/slow.md');
    const space = await emptySpace(rig);
    const archive = {
      ...Object.fromEntries(pages.slice(0, 3)),
      'p3.md': '# Page 3\n\n{% include ".gitbook/includes/slow.md" %}\n',
      'slow.md': '# Slow\n\nSlow words.\n',
      '.gitbook/includes/slow.md': 'Slow words, too.\n',
    };
    const done = await imported(rig, space, archive);
    expect(done).toMatchObject({ status: 'completed', report: { pages: 5, reusableContents: 1 } });
    expect(done.report.warnings).toEqual([
      { kind: 'unread', path: 'slow.md' },
      { kind: 'unread', path: '.gitbook/includes/slow.md' },
    ]);
    const failed = done.pages.filter(({ status }) => status !== 'completed');
    expect(failed).toMatchObject([{ path: 'slow.md', status: 'failed' }]);
    const read = async (path: string) =>
      (await rig.send('GET', `/spaces/${space}/content/path/${path}?format=markdown`)).body;
    expect((await read('slow'))['markdown']).toBe('# Slow\n');
    expect((await read('p1'))['markdown']).toContain('[next](p2.md)');
  });

  it('reads few files at a time, and one by one only those around one that takes too long', async () => {
    const tasks = await slowDown((path) => path === '00-slow.md');
    const many = Array.from({ length: 99 }, (_, n) => [`p${n}.md`, `# Page ${n}\n\n${'Words. '.repeat(n)}\n`]);
    const archive = { '00-slow.md': '# Slow\n', ...Object.fromEntries(many) } as Record<string, string>;
    expect(await imported(rig, await emptySpace(rig), archive)).toMatchObject({ status: 'completed' });
    expect(Math.max(...tasks.map(({ length }) => length))).toBe(16);
    const alone = tasks.filter(({ length }) => length === 1).map(([path = '']) => path);
    expect(alone).toContain('00-slow.md');
    expect(alone.length).toBeLessThan(40);
  });

  it('fails when many pages take too long to be read, naming one of them', async () => {
    await slowDown((path) => path !== 'p0.md');
    const space = await emptySpace(rig);
    const before = await revisionsOf(space);
    const done = await imported(rig, space, Object.fromEntries(pages.slice(0, 22)));
    expect(done).toMatchObject({ status: 'failed', failure: { reason: 'content_change_invalid', path: 'p21.md' } });
    expect(await revisionsOf(space)).toBe(before);
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
    const space = await emptySpace(other);
    await imported(other, space, { 'secret-name.md': '[gone](secret-link.md)\n' });
    const kept = async () => {
      const { database } = rig.store;
      const about = await database.collection('op_imports').countDocuments({ organization: other.organization });
      return about + (await database.collection('op_import_items').countDocuments({ 'item.path': 'secret-name.md' }));
    };
    // What was kept for the run goes a moment after its end.
    await eventually(async () => (await kept()) === 2);
    expect((await rig.send('DELETE', `/orgs/${other.organization}`)).status).toBe(205);
    await eventually(async () => (await kept()) === 0, 30_000);
  });
});
