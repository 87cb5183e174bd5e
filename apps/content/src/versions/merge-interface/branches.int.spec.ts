import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  openBranch,
  readBranch,
  reopenBranch,
  updateBranch,
  writeBranch,
  type ContentConflict,
} from '@scriptorium/contracts';
import { edit, page, refusal, startRequestRig, text, type Listed } from '../../test/change-requests.js';
import { get } from '../../test/rig.js';

type PageConflict = Extract<ContentConflict, { object: 'page-conflict' }>;

/** What collaboration asks of content for its change requests. */
describe('the content of change requests', () => {
  let rig: Awaited<ReturnType<typeof startRequestRig>>;
  beforeAll(async () => void (rig = await startRequestRig()), 60_000);
  afterAll(() => rig.stop());

  it('begins with that of the space, and goes its own way until it is merged', async () => {
    const { space, id, a, write, merge, state, path } = await rig.begin();
    const first = await state();
    expect(first).toEqual({
      head: first.main,
      initial: first.main,
      ancestor: first.main,
      main: first.main,
      outdated: false,
      conflicts: [],
    });
    expect(await rig.done(openBranch, id)).toEqual(first);
    const written = await write([text(a, 'One, changed.\n\nTwo.\n\nThree.'), page('C')]);
    expect(written.changes[0]).toMatchObject({
      object: 'updated_page',
      page: { urls: { location: expect.stringContaining(`${path}/content/page/${a}`) as unknown } },
    });
    expect([await rig.titles(path), await rig.titles(`/spaces/${space}`)]).toEqual([
      ['A', 'B', 'C'],
      ['A', 'B'],
    ]);
    expect(await state()).toMatchObject({ head: written.revision, main: first.main, outdated: false });
    const after = await rig.edited(space, [text(a, 'One.\n\nTwo.\n\nThree, changed.'), page('D')]);
    expect(await state()).toMatchObject({ main: after.revision, outdated: true });
    const merged = await merge();
    expect(merged).toMatchObject({ result: 'merge' });
    expect((await rig.titles(`/spaces/${space}`)).sort()).toEqual(['A', 'B', 'C', 'D']);
    expect(await rig.markdown(`/spaces/${space}`, a)).toBe('# A\n\nOne, changed.\n\nTwo.\n\nThree, changed.\n');
    const { revision } = merged as { revision: string };
    const shown = (await rig.read(`/spaces/${space}/content`)).body;
    expect(shown).toMatchObject({
      id: revision,
      type: 'merge',
      parents: [after.revision, written.revision],
      mergedFrom: { object: 'change-request', id: id.branch },
    });
    const { body } = await rig.read(`/spaces/${space}/revisions/${revision}/changes`);
    expect(body['mergedFrom']).toEqual({ object: 'change-request', id: id.branch });
    expect((body['changes'] as { type: string }[]).map(({ type }) => type).sort()).toEqual([
      'page_created',
      'page_edited',
    ]);
    expect(await state()).toMatchObject({ merged: revision, outdated: false, head: written.revision });
    expect(await rig.titles(path)).toEqual(['A', 'B', 'C']);
    expect(await merge()).toEqual({ result: 'merge', revision });
  });

  it('takes over what is new in the space', async () => {
    const { space, id, a, b, write, state, path } = await rig.begin();
    expect(await rig.done(updateBranch, id)).toMatchObject({ result: 'update', revision: (await state()).head });
    const own = await write([edit(b, { title: 'Own', into: a }), page('C', '', { slug: 'same' })]);
    const theirs = await rig.edited(space, [edit(b, { description: 'Theirs' }), page('D', '', { slug: 'same' })]);
    const updated = await rig.done(updateBranch, id);
    expect(updated).toMatchObject({ result: 'update', ancestor: theirs.revision, conflicts: [] });
    expect((await rig.read(`${path}/content`)).body).toMatchObject({
      id: updated.revision,
      type: 'update',
      parents: [own.revision, theirs.revision],
    });
    expect((await rig.read(`${path}/content/page/${b}`)).body).toMatchObject({
      title: 'Own',
      description: 'Theirs',
      path: 'a/b',
    });
    expect((await rig.read(`${path}/content/path/same`)).body['title']).toBe('D');
    expect((await rig.read(`${path}/content/path/same-1`)).body['title']).toBe('C');
    expect(await rig.done(updateBranch, id)).toMatchObject({ result: 'update', revision: updated.revision });
    // What came from the space is no change of the change request.
    const { body } = await rig.read(`${path}/changes`);
    expect((body['changes'] as { type: string }[]).map(({ type }) => type).sort()).toEqual([
      'page_created',
      'page_edited',
      'page_moved',
    ]);
  });

  it('tells what excludes each other: a merge changes nothing, an update keeps both versions', async () => {
    const { space, id, a, b, write, merge, state, path } = await rig.begin();
    await write([text(a, 'One: ours.\n\nTwo.\n\nThree.'), edit(b, { title: 'Ours' })]);
    const main = await rig.edited(space, [text(a, 'One: theirs.\n\nTwo.\n\nThree.'), edit(b, { title: 'Theirs' })]);
    const before = await state();
    const refused = await merge();
    const expected = [
      { object: 'page-conflict', kind: 'edit', attribute: 'document', page: { id: a, path: 'a' } },
      { object: 'page-conflict', kind: 'edit', attribute: 'title', page: { id: b } },
    ];
    const byAttribute = ({ conflicts }: { conflicts?: unknown }) =>
      [...(conflicts as PageConflict[])].sort((x, y) => (String(x.attribute) < String(y.attribute) ? -1 : 1));
    expect(refused).toMatchObject({ result: 'conflicts', revision: before.head });
    expect(byAttribute(refused as object)).toMatchObject(expected);
    expect(await state()).toEqual(before);
    const updated = await rig.done(updateBranch, id);
    expect(updated).toMatchObject({ result: 'conflicts', ancestor: before.ancestor });
    expect(byAttribute(updated)).toEqual(byAttribute(refused as object));
    expect(await state()).toMatchObject({ outdated: true, ancestor: before.ancestor, conflicts: updated.conflicts });
    expect(await merge()).toEqual({ result: 'conflicts', revision: updated.revision, conflicts: updated.conflicts });
    const shown = (await rig.read(`${path}/content/page/${a}`)).body;
    expect(shown['markdown']).toContain('One: ours.');
    const [first] = get(shown, 'document.nodes') as {
      key: string;
      meta?: { conflict: { id: string; theirs: unknown } };
    }[];
    const [conflict] = byAttribute(updated);
    expect(first?.meta?.conflict.id).toBe(conflict?.id);
    expect(conflict?.blocks).toEqual([first?.key]);
    expect(JSON.stringify(first?.meta?.conflict.theirs)).toContain('theirs');
    // A write that names the page resolves what has no marker; markers stay until they are gone.
    await write([edit(b, { emoji: '1f680' }), edit(a, { emoji: '1f680' })]);
    expect((await state()).conflicts).toMatchObject([{ attribute: 'document' }]);
    expect(await rig.ask(writeBranch, { ...id, write: { resolve: ['nothing'] } })).toEqual({
      refused: 'content_change_invalid',
      path: 'body.resolve[0]',
    });
    const resolved = await write([], { resolve: [conflict?.id ?? ''] });
    expect(await state()).toMatchObject({
      head: resolved.revision,
      outdated: false,
      ancestor: main.revision,
      conflicts: [],
    });
    const after = (await rig.read(`${path}/content/page/${a}?format=document`)).body;
    expect(JSON.stringify(after)).not.toContain('conflict');
    expect(await merge()).toMatchObject({ result: 'merge' });
    expect(await rig.markdown(`/spaces/${space}`, a)).toContain('One: ours.');
    expect((await rig.read(`/spaces/${space}/content/page/${b}`)).body['title']).toBe('Ours');
  });

  it('keeps its own version of moves and deletions, of reusable contents and variables', async () => {
    const { space, id, a, b, write, merge, state } = await rig.begin();
    const { refs } = await rig.edited(space, [
      { operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'Mind it.' }, ref: 'note' },
      { operation: 'set_variables', variables: { version: '1', gone: '1' } },
      page('C', '', { ref: 'c' }),
    ]);
    await rig.done(updateBranch, id);
    const { note = '', c = '' } = refs;
    await write([
      edit(c, { into: a }),
      { operation: 'delete_page', page: b },
      { operation: 'update_reusable_content', reusableContent: note, title: 'Ours' },
      { operation: 'set_variables', variables: { version: '2', gone: null } },
    ]);
    await rig.edited(space, [
      edit(b, { title: 'Edited' }),
      edit(c, { into: b }),
      { operation: 'update_reusable_content', reusableContent: note, title: 'Theirs' },
      { operation: 'set_variables', variables: { version: '3', gone: '4' } },
    ]);
    const { conflicts } = await rig.done(updateBranch, id);
    expect(conflicts.map(({ object, kind }) => `${object} ${kind}`).sort()).toEqual([
      'page-conflict delete',
      'page-conflict move',
      'reusable-content-conflict edit',
      'variable-conflict delete',
      'variable-conflict edit',
    ]);
    expect(conflicts.find(({ kind, object }) => kind === 'delete' && object === 'page-conflict')).toMatchObject({
      page: { id: b, title: 'Edited' },
    });
    await write([
      edit(c, { title: 'C' }),
      { operation: 'update_reusable_content', reusableContent: note, title: 'Ours' },
      { operation: 'set_variables', variables: { version: '2', gone: null } },
    ]);
    const [left, ...others] = (await state()).conflicts;
    expect([left?.kind, others]).toEqual(['delete', []]);
    await write([], { resolve: [left?.id ?? ''] });
    expect(await merge()).toMatchObject({ result: 'merge' });
    const { body } = await rig.read(`/spaces/${space}/content`);
    expect(body).toMatchObject({ variables: { version: '2' }, reusableContents: [{ id: note, title: 'Ours' }] });
    expect((body['pages'] as Listed[]).map(({ title, pages }) => [title, pages?.map((one) => one.title)])).toEqual([
      ['A', ['C']],
    ]);
  });

  it('begins with a template, or takes one later', async () => {
    const { space, path } = await rig.begin();
    const other = { space, branch: 'withTemplate' };
    const refused = { ...other, template: { id: 'nothing' } };
    expect(await rig.ask(openBranch, refused)).toMatchObject({ refused: 'not_found' });
    expect(await rig.ask(readBranch, other)).toMatchObject({ refused: 'not_found' });
    const opened = await rig.done(openBranch, { ...other, template: { id: 'changelog' } });
    expect(opened.head).not.toBe(opened.initial);
    expect(await rig.titles(`/spaces/${space}/change-requests/withTemplate`)).toContain('Changelog');
    expect(await rig.done(openBranch, { ...other, template: { id: 'changelog' } })).toEqual(opened);
    const apply = (changeRequestId: string) =>
      rig.rig.send('POST', `/spaces/${space}/content/template`, { body: { id: 'changelog', changeRequestId } });
    expect(refusal(await apply('nothing'))).toEqual([404, 'not_found', 'body.changeRequestId']);
    expect((await apply(path.split('/').at(-1) ?? '')).status).toBe(201);
    expect(await rig.titles(path)).toEqual(expect.arrayContaining(['A', 'Changelog']));
    expect(await rig.titles(`/spaces/${space}`)).toEqual(['A', 'B']);
  });

  it('takes no content when it is merged, until it is opened again', async () => {
    const { space, id, a, write, merge, state } = await rig.begin();
    await write([page('C')]);
    await rig.edited(space, [page('D')]);
    const merged = (await merge()) as { revision: string };
    const refusedWith = { refused: 'change_request_merged', path: undefined };
    expect(await rig.ask(writeBranch, { ...id, write: { changes: [page('E')] } })).toEqual(refusedWith);
    expect(await rig.ask(updateBranch, id)).toEqual(refusedWith);
    const http = await rig.rig.send('POST', `/spaces/${space}/change-requests/${id.branch}/content`, {
      body: { changes: [page('E')] },
    });
    expect(refusal(http)).toEqual([409, 'change_request_merged', undefined]);
    const reopened = await rig.done(reopenBranch, id);
    expect(reopened).toMatchObject({ head: merged.revision, ancestor: merged.revision, outdated: false });
    expect(reopened).not.toHaveProperty('merged');
    expect(await rig.done(reopenBranch, id)).toEqual(reopened);
    await write([edit(a, { title: 'Again' })]);
    await rig.edited(space, [page('F')]);
    expect(await merge()).toMatchObject({ result: 'merge' });
    expect((await rig.titles(`/spaces/${space}`)).sort()).toEqual(['Again', 'B', 'C', 'D', 'F']);
    expect((await state()).merged).not.toBe(merged.revision);
  });

  it('is merged without a revision when it has changed nothing', async () => {
    const { merge, state } = await rig.begin();
    const { main } = await state();
    expect(await merge()).toEqual({ result: 'merge', revision: main });
    expect((await state()).merged).toBe(main);
  });
});
