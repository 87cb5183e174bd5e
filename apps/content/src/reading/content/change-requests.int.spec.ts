import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBranch } from '@scriptorium/contracts';
import { connectAsker, type Asker } from '../../test/ask.js';
import { get, startRig, type Person, type Rig } from '../../test/rig.js';
import { refusal } from '../../test/spaces.js';

describe('the content of a change request over HTTP', () => {
  let rig: Rig;
  let ask: Asker;
  let space: string;
  let path: string;
  let editor: Person;
  beforeAll(async () => {
    rig = await startRig();
    ask = await connectAsker(rig);
    editor = await rig.member('Edda Editor', 'edit');
    // A locked space is changed by change requests.
    const made = await rig.send('POST', `/orgs/${rig.organization}/spaces`, {
      body: { template: { id: 'changelog' } },
    });
    space = String(made.body['id']);
    await ask(openBranch, { space, branch: 'request' });
    path = `/spaces/${space}/change-requests/request`;
  }, 60_000);
  afterAll(async () => {
    await ask.close();
    await rig.stop();
  });

  const change = (body: object, token = editor.token, headers: Record<string, string> = {}) =>
    rig.send('POST', `${path}/content`, { token, body, headers });
  const read = (rest: string) => rig.send('GET', `${path}${rest}`, { token: editor.token });
  const insert = (title: string, more: object = {}) => ({
    operation: 'insert_page',
    title,
    document: { markdown: 'Text.' },
    ...more,
  });

  it('is changed and read as that of a space is', async () => {
    const changes = [
      { operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'Mind it.' }, ref: 'note' },
      insert('New', { ref: 'new' }),
    ];
    const written = await change({ changes });
    expect(written.status).toBe(200);
    const refs = get(written.body, 'refs') as Record<string, string>;
    const current = await read('/content');
    expect(current.body).toMatchObject({ object: 'revision', id: written.body['revision'], type: 'edits' });
    expect((await read('/content/pages')).body['pages']).toEqual(current.body['pages']);
    expect((await read(`/content/page/${refs['new']}`)).body).toMatchObject({ title: 'New', path: 'new' });
    expect((await read('/content/path/new?format=markdown')).body['markdown']).toBe('# New\n\nText.\n');
    expect((await read(`/content/reusable-contents/${refs['note']}`)).body['title']).toBe('Note');
    const { body } = await read('/changes');
    expect((body['changes'] as { type: string }[]).map(({ type }) => type)).toEqual([
      'page_created',
      'reusable_content_created',
    ]);
    expect((await read('/changes?limit=1')).body['more']).toBe(1);
    const main = await rig.send('GET', `/spaces/${space}/content/page/${refs['new']}`, {});
    expect(main.status).toBe(404);
    // Its content comes into the space by its merge alone.
    const revision = String(written.body['revision']);
    expect((await rig.send('POST', `/spaces/${space}/revisions/${revision}/rollback`, {})).status).toBe(404);
    const tag = String(current.headers.get('etag'));
    expect((await change({ changes: [insert('Tagged')] }, editor.token, { 'if-match': tag })).status).toBe(200);
    expect((await change({ changes: [insert('Tagged')] }, editor.token, { 'if-match': tag })).status).toBe(412);
  });

  it('takes no marker of a conflict that it does not have', async () => {
    const block = { object: 'block', type: 'paragraph', key: 'k', isVoid: false, data: {}, nodes: [] };
    const nodes = [{ ...block, meta: { conflict: { id: 'forged' } } }];
    const document = { document: { object: 'document', data: {}, nodes } };
    const written = await change({ changes: [{ operation: 'insert_page', title: 'Forged', document, ref: 'forged' }] });
    expect(written.status).toBe(200);
    const id = String(get(written.body, 'refs.forged'));
    expect(JSON.stringify((await read(`/content/page/${id}`)).body)).not.toContain('conflict');
  });

  it('is read by those who may read the space, and changed by those who may edit it', async () => {
    const guest = await rig.member('Gus Guest', null);
    const commenter = await rig.member('Cora Commenter', 'comment');
    const reads = ['/content', '/content/pages', '/content/page/x', '/content/path/x', '/changes'];
    for (const rest of [...reads, '/content/reusable-contents/x']) {
      expect([rest, (await rig.send('GET', `${path}${rest}`, { token: guest.token })).status]).toEqual([rest, 404]);
      expect([rest, (await rig.send('GET', `${path}${rest}`, { token: null })).status]).toEqual([rest, 401]);
      const own = await rig.send('GET', `${path}${rest}`, { token: commenter.token });
      expect([rest, own.status]).toEqual([rest, rest.endsWith('/x') ? 404 : 200]);
      const other = rest.replace(/^/, `/spaces/${space}/change-requests/nothing`);
      expect([rest, (await rig.send('GET', other, { token: editor.token })).status]).toEqual([rest, 404]);
      const main = rest.replace(/^/, `/spaces/${space}/change-requests/${space}`);
      expect([rest, (await rig.send('GET', main, { token: editor.token })).status]).toEqual([rest, 404]);
    }
    const changes = [insert('X')];
    expect((await change({ changes }, guest.token)).status).toBe(404);
    expect((await change({ changes }, commenter.token)).status).toBe(403);
    expect(refusal(await change({}))).toEqual([400, 'invalid_request', 'body.changes']);
    expect(refusal(await change({ resolve: ['x'] }))).toEqual([422, 'content_change_invalid', 'body.resolve[0]']);
    expect(refusal(await change({ changes: [{ operation: 'delete_page', page: 'x' }] }))).toEqual([
      422,
      'content_change_invalid',
      'body.changes[0].page',
    ]);
    expect(refusal(await change({ changes: [insert('X')], base: 'x' }))).toEqual([
      412,
      'precondition_failed',
      'body.base',
    ]);
  });
});
