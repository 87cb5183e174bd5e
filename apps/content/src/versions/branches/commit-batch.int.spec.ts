import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ContentObjects } from '../object-store/index.js';
import { changeContentOf, page } from '../../test/pages.js';
import { startRig, type Rig } from '../../test/own-rig.js';
import { makeSpace } from '../../test/spaces.js';

describe('edits of one space that come at once', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  }, 60_000);
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => rig.stop());

  const writers = 24;
  const edit = (space: string, changes: readonly object[], headers = {}) =>
    rig.send('POST', `/spaces/${space}/content`, { body: { changes }, headers });
  const read = async (space: string, path = '') => (await rig.send('GET', `/spaces/${space}${path}`)).body;
  const titles = async (space: string) =>
    ((await read(space, '/content'))['pages'] as { title: string }[]).map(({ title }) => title);
  const numbers = Array.from({ length: writers }, (_, n) => n);

  it('are recorded in batches, each as a revision of its own that its writer is told', async () => {
    const space = await makeSpace(rig);
    const before = Number((await read(space, '/revisions'))['count']);
    const stored = jest.spyOn(ContentObjects.prototype, 'store');
    const answers = await Promise.all(
      numbers.map((n) => edit(space, [page(`Page ${n}`, `Text ${n}.`, { ref: 'own' })])),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(stored.mock.calls.length).toBeLessThan(writers / 2);
    expect((await titles(space)).toSorted()).toEqual(numbers.map((n) => `Page ${n}`).toSorted());
    const { items, count } = await read(space, '/revisions?limit=100');
    expect(count).toBe(before + writers);
    const ids = (items ?? []).map(({ id }) => id);
    expect(new Set(answers.map(({ body }) => body['revision']))).toEqual(new Set(ids.slice(0, writers)));
    for (const { body } of answers) {
      const { own } = body['refs'] as Record<string, string>;
      const changed = await read(space, `/revisions/${String(body['revision'])}/changes`);
      expect(changed['changes']).toMatchObject([{ type: 'page_created', page: { id: own } }]);
    }
  });

  it('are refused alone, and repeated alone; one that changes nothing makes no revision', async () => {
    const space = await makeSpace(rig);
    const { a = '' } = await changeContentOf(rig, space, [page('A', 'Before.', { ref: 'a' })]);
    const before = Number((await read(space, '/revisions'))['count']);
    const key = { 'idempotency-key': 'once' };
    const unknown = { operation: 'update_page', page: 'unknown', title: 'B' };
    const same = { operation: 'update_page', page: a, document: { markdown: 'Before.' } };
    const answers = await Promise.all([
      edit(space, [page('One')]),
      edit(space, [unknown]),
      edit(space, [page('Two')], key),
      edit(space, [page('Two')], key),
      edit(space, [same]),
      edit(space, [page('Three')]),
      edit(space, [{ operation: 'revert_page', page: a }]),
      edit(space, [page('Four')]),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect([statuses.slice(0, 2), statuses.slice(4)]).toEqual([
      [200, 422],
      [200, 200, 200, 200],
    ]);
    // The second one with the same key waits for the first, or is told to come again.
    expect(statuses.slice(2, 4).filter((status) => status === 200 || status === 409)).toHaveLength(2);
    expect((await titles(space)).toSorted()).toEqual(['A', 'Four', 'One', 'Three', 'Two']);
    expect((await read(space, '/revisions'))['count']).toBeLessThanOrEqual(before + 5);
    const again = await edit(space, [page('Two')], key);
    expect([again.status, await titles(space)]).toEqual([200, expect.arrayContaining(['Two'])]);
    expect((await titles(space)).filter((title) => title === 'Two')).toHaveLength(1);
  });

  it('of which one alone holds what it was made for', async () => {
    const space = await makeSpace(rig);
    const { revision } = await read(space);
    const answers = await Promise.all(
      numbers.map((n) =>
        rig.send('POST', `/spaces/${space}/content`, { body: { base: revision, changes: [page(`${n}`)] } }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array.from({ length: writers - 1 }, () => 412)]);
    expect(await titles(space)).toHaveLength(1);
  });

  it('are all there when several processes make them, and when their objects could not be stored at first', async () => {
    const space = await makeSpace(rig);
    const replica = await rig.replica('content');
    const answers = await Promise.all(numbers.map((n) => edit(space, [page(`Page ${n}`, `Text ${n}.`)])));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await titles(space)).toHaveLength(writers);
    await replica.stop();
    jest.spyOn(ContentObjects.prototype, 'store').mockImplementationOnce(() => Promise.reject(new Error('broken')));
    const later = await Promise.all(numbers.map((n) => edit(space, [page(`Later ${n}`, `Text ${n}.`)])));
    const failed = later.filter(({ status }) => status === 500).length;
    expect(failed).toBeGreaterThan(0);
    expect(await titles(space)).toHaveLength(2 * writers - failed);
  });
});
