import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DocumentDifference } from '@scriptorium/contracts';
import { applyPatch } from 'diff';
import { startRig, type Rig } from '../../../test/rig.js';
import { refusal } from '../../../test/spaces.js';

describe('what changed in texts, over HTTP', () => {
  let rig: Rig;
  let path: string;
  beforeAll(async () => {
    rig = await startRig();
    const body = { title: 'Compared', empty: true, editMode: 'live' };
    path = `/spaces/${String((await rig.send('POST', `/orgs/${rig.organization}/spaces`, { body })).body['id'])}`;
  }, 60_000);
  afterAll(() => rig.stop());

  const change = async (changes: object[]) => {
    const { status, body } = await rig.send('POST', `${path}/content`, { body: { changes } });
    expect([status, body.error]).toEqual([200, undefined]);
    return { revision: String(body['revision']), refs: body['refs'] as Record<string, string> };
  };
  const diffs = async (revision: string, query = 'format=diff') =>
    (await rig.send('GET', `${path}/revisions/${revision}/changes?${query}`)).body['diffs'] as DocumentDifference[];
  const insert = (title: string, markdown: string, more: object = {}) => ({
    operation: 'insert_page',
    title,
    document: { markdown },
    ...more,
  });

  it('is a diff of lines and one of blocks for each document', async () => {
    const first = await change([insert('Guide', 'One.\n\nTwo.\n\nThree.', { ref: 'guide' }), insert('Other', 'Same.')]);
    const guide = String(first.refs['guide']);
    const made = await diffs(first.revision);
    expect(made.map(({ page }) => page?.title).sort()).toEqual(['Guide', 'Other']);
    const created = made.find(({ page }) => page?.id === guide);
    expect(created?.unified).toBe(
      '--- /dev/null\n+++ b/guide.md\n@@ -0,0 +1,7 @@\n+# Guide\n+\n+One.\n+\n+Two.\n+\n+Three.\n',
    );
    expect(created?.blocks?.map(({ kind, after }) => [kind, after])).toEqual([
      ['added', 'One.\n'],
      ['added', 'Two.\n'],
      ['added', 'Three.\n'],
    ]);
  });

  it('shows the blocks that moved and changed, and applies as a patch', async () => {
    const { refs } = await change([insert('Manual', 'One.\n\nTwo.\n\nThree.', { ref: 'guide' })]);
    const guide = String(refs['guide']);
    const markdown = 'Three.\n\nOne.\n\nTwo times **two**.';
    const second = await change([{ operation: 'update_page', page: guide, document: { markdown } }]);
    const [edited, ...none] = await diffs(second.revision);
    expect([edited?.page, none]).toEqual([{ id: guide, type: 'document', title: 'Manual', path: 'manual' }, []]);
    expect(edited?.unified).toMatch(/^--- a\/manual\.md\n\+\+\+ b\/manual\.md\n@@ /);
    expect(applyPatch('# Manual\n\nOne.\n\nTwo.\n\nThree.\n', edited?.unified ?? '')).toBe(`# Manual\n\n${markdown}\n`);
    const kinds = edited?.blocks?.map(({ kind }) => kind) ?? [];
    expect([kinds.includes('moved'), kinds.includes('changed')]).toEqual([true, true]);
    const changed = edited?.blocks?.find(({ kind }) => kind === 'changed');
    expect([changed?.before, changed?.after]).toEqual(['Two.\n', 'Two times **two**.\n']);
    expect(edited?.truncated).toBeUndefined();
  });

  it('tells of new titles, of what was deleted, and of reusable contents', async () => {
    const reusable = {
      operation: 'insert_reusable_content',
      title: 'Note',
      document: { markdown: 'Mind it.' },
      ref: 'n',
    };
    const { refs } = await change([insert('Before', 'Text.', { ref: 'p' }), reusable]);
    const titled = await change([{ operation: 'update_page', page: refs['p'], title: 'After' }]);
    expect(
      (await diffs(titled.revision)).map(({ unified, blocks }) => [unified?.split('\n').slice(3, 5), blocks]),
    ).toEqual([[['-# Before', '+# After'], []]]);
    const gone = await change([
      { operation: 'delete_page', page: refs['p'] },
      { operation: 'update_reusable_content', reusableContent: refs['n'], document: { markdown: 'Never mind.' } },
    ]);
    const [page, note] = await diffs(gone.revision);
    expect([page?.page?.title, page?.unified?.split('\n').slice(0, 2)]).toEqual([
      'After',
      ['--- a/before.md', '+++ /dev/null'],
    ]);
    expect([note?.reusableContent, note?.blocks?.[0]?.after]).toEqual([
      { id: refs['n'], title: 'Note' },
      'Never mind.\n',
    ]);
  });

  it('keeps links to pages when these move, has a limit, and says what it leaves out', async () => {
    const { refs } = await change([
      insert('Target', 'Here.', { ref: 't' }),
      insert('Linking', '[here](./t.md)', { ref: 'l' }),
    ]);
    const moved = await change([{ operation: 'update_page', page: refs['t'], into: refs['l'] }]);
    expect(await diffs(moved.revision)).toEqual([]);
    const two = await change([insert('A', 'a'), insert('B', 'b')]);
    expect(await diffs(two.revision, 'format=diff&limit=1')).toHaveLength(1);
    const long = await change([
      insert('Long', 'A line of some words that fills the page.\n\n'.repeat(9_000), { ref: 'x' }),
    ]);
    const [left] = await diffs(long.revision);
    expect([left?.unified, left?.truncated, (left?.blocks?.length ?? 0) < 9_000]).toEqual([undefined, true, true]);
    expect(await diffs(two.revision, 'limit=1')).toBeUndefined();
    const wrong = await rig.send('GET', `${path}/revisions/${two.revision}/changes?format=text`);
    expect(refusal(wrong)).toEqual([400, 'invalid_request', 'query.format']);
  });
});
