import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { manifestPath } from '../archive-format/index.js';
import { changeContentOf, page } from '../../test/pages.js';
import { startRig, type Rig } from '../../test/rig.js';
import { emptySpace, exported, imported } from '../../test/zips.js';

jest.setTimeout(120_000);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const summary = '# Table of contents\n\n* [A](a.md)\n\n## Group\n\n* [B](b.md)\n';
const moments = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
const none = sha256('nothing');

/** An archive whose manifest says more of its pages than others do. */
function archiveOf(more: { a?: object; b?: object; group?: object }): Record<string, string> {
  const document = { type: 'document', document: none, ...moments };
  const pages = [
    { id: 'aaaaaaaa', path: 'a.md', record: { ...document, title: 'A', slug: 'a', order: 'a0', ...more.a } },
    {
      id: 'gggggggg',
      record: { type: 'group', title: 'Group', slug: 'group', order: 'a1', ...moments, ...more.group },
    },
    {
      id: 'bbbbbbbb',
      path: 'b.md',
      record: { ...document, title: 'B', slug: 'b', parent: 'gggggggg', order: 'a0', ...more.b },
    },
  ];
  const manifest = { format: 1, summary: sha256(summary), pages, files: [], reusableContents: [] };
  return { 'SUMMARY.md': summary, 'a.md': '# A\n\nOne.\n', 'b.md': '# B\n', [manifestPath]: JSON.stringify(manifest) };
}

describe('manifests that others have written', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  }, 60_000);
  afterAll(() => rig.stop());

  const titles = async (space: string) =>
    ((await rig.send('GET', `/spaces/${space}/content/pages`)).body['pages'] as { title: string }[]).map(
      ({ title }) => title,
    );
  /** Content can be added to, and goes out and in again. */
  const isWhole = async (space: string, made: string[]) => {
    await changeContentOf(rig, space, [page('Added'), page('Within', '', { into: 'gggggggg' })]);
    expect(await titles(space)).toEqual([...made, 'Added']);
    const other = await emptySpace(rig);
    expect(await imported(rig, other, await exported(rig, space))).toMatchObject({ status: 'completed' });
    expect(await titles(other)).toEqual([...made, 'Added']);
  };

  it('name no objects that were not stored', async () => {
    const space = await emptySpace(rig);
    const group = { document: none, attributes: none };
    expect(await imported(rig, space, archiveOf({ group, a: { attributes: none } }))).toMatchObject({
      status: 'completed',
    });
    for (const id of ['aaaaaaaa', 'gggggggg', 'bbbbbbbb'])
      expect([id, (await rig.send('GET', `/spaces/${space}/content/page/${id}`)).status]).toEqual([id, 200]);
    await isWhole(space, ['A', 'Group']);
  });

  it.each(['0', 'a', 'zz', 'b1', 'a00'])(
    'do not give pages the sort key %s, beside which none can stand',
    async (order) => {
      const space = await emptySpace(rig);
      expect(await imported(rig, space, archiveOf({ a: { order }, b: { order } }))).toMatchObject({
        status: 'completed',
      });
      await isWhole(space, await titles(space));
    },
  );

  it('with a condition that cannot be evaluated count for nothing', async () => {
    const space = await emptySpace(rig);
    const done = await imported(rig, space, archiveOf({ a: { condition: 'nowhere ==' } }));
    expect(done).toMatchObject({
      status: 'completed',
      report: { warnings: [{ kind: 'not_supported', path: manifestPath }] },
    });
    const shown = await rig.send('GET', `/spaces/${space}/content/path/a`);
    expect(shown.body['condition']).toBeUndefined();
  });
});
