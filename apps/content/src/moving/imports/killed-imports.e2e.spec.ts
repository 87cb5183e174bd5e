import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';
import { startDyingRig, type DyingRig } from '../../test/replicas.js';
import { eventually } from '../../test/own-rig.js';
import { emptySpace, ended, exported, imported, uploaded, zipOf } from '../../test/zips.js';

jest.setTimeout(240_000);

const pages = Array.from({ length: 30 }, (_, n) => [`p${n}.md`, `# Page ${n}\n\n[next](p${n + 1}.md)\n`] as const);
const archive = {
  ...Object.fromEntries(pages),
  'p30.md': '# Last\n\n![](dot.txt)\n\n{% include ".gitbook/includes/note.md" %}\n',
  'dot.txt': 'dot\n',
  '.gitbook/includes/note.md': 'A note.\n',
};
/** What is written at the end of each step of an import, and in the middle of those that write more than that. */
const all = [
  'op_runs "phase":"plan"',
  'op_import_items bulkWrite $setOnInsert',
  'op_runs "phase":"pages"',
  'op_objects insertMany',
  'op_runs "phase":"includes"',
  'op_runs "phase":"files"',
  'op_files updateOne',
  'op_runs "phase":"commit"',
  'op_runs "phase":"show"',
  'op_imports "completed"',
  'op_import_items deleteMany',
];
/** One in three of them in the short form. */
const points = sized(
  all.filter((_, index) => index % 3 === 2),
  all,
);

describe('an import', () => {
  let rig: DyingRig;
  beforeAll(async () => void (rig = await startDyingRig(points)), 120_000);
  afterAll(() => rig.stop());

  const space = async (): Promise<string> => {
    let id = 'undefined';
    await eventually(async () => (id = await emptySpace(rig)) !== 'undefined', 30_000);
    return id;
  };

  it('makes one revision, and nothing else, however often a replica is killed at one of its steps', async () => {
    const into = await space();
    const body = { source: { type: 'file', files: [''] }, target: { space: into } };
    const path = `/orgs/${rig.organization}/imports`;
    const before = Number((await rig.send('GET', `/spaces/${into}/revisions`)).body['count']);
    body.source.files = [await uploaded(rig, 'archive.zip', await zipOf(archive))];
    await rig.arm();
    const begun = await rig.send('POST', path, { body });
    expect(begun.status).toBe(201);
    // Nothing is seen of it before all is.
    const id = String(begun.body['id']);
    let seen: number[] = [];
    await eventually(async () => {
      const content = await rig.send('GET', `/spaces/${into}/content/pages`);
      if (content.status === 200) seen.push((content.body['pages'] as unknown[]).length);
      const { status, body } = await rig.send('GET', `${path}/${id}`);
      return status === 200 && !['pending', 'in-progress'].includes(String(body['status']));
    }, 200_000);
    seen = [...new Set(seen)];
    expect(seen.filter((count) => count !== 0 && count !== 31)).toEqual([]);
    const done = await ended(rig, id);
    const counts = { pages: 31, files: 1, reusableContents: 1, variables: 0 };
    expect(done).toMatchObject({ status: 'completed', report: { ...counts, warnings: [] } });
    expect((await rig.send('GET', `/spaces/${into}/revisions`)).body['count']).toBe(before + 1);
    const [other, whole] = [await space(), await exported(rig, into)];
    await imported(rig, other, whole);
    expect((await exported(rig, other)).equals(whole)).toBe(true);
    // An import is reported as completed before its items are deleted: the last replica dies between the two.
    const items = rig.store.database.collection('op_import_items');
    await eventually(async () => (await items.countDocuments({ kind: { $ne: 'page' } })) === 0, 60_000);
    expect(rig.deaths()).toBe(points.length);
  });
});
