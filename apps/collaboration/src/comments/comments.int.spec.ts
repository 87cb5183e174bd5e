import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, get, startRig, type Answer, type Person, type Rig } from '../test/rig.js';

describe('comments', () => {
  let rig: Rig;
  let space: string;
  let base: string;
  let page: string;
  let writer: Person;
  let reader: Person;
  let editor: Person;
  let stranger: Person;
  beforeAll(async () => {
    rig = await startRig();
    writer = await rig.member('Wri Ter', 'comment');
    reader = await rig.member('Rea Der', 'read');
    editor = await rig.member('Edi Tor', 'edit');
    stranger = await rig.person('Stran Ger');
    const made = await rig.send('POST', `/orgs/${rig.organization}/spaces`, {
      body: { title: 'Manual', editMode: 'live', empty: true },
    });
    space = `/spaces/${String(made.body['id'])}`;
    base = `${space}/comments`;
    page = await newPage('Guide', 'First.\n\n| A | B |\n|---|---|\n| 1 | 2 |');
  }, 60_000);
  afterAll(() => rig.stop());

  const newPage = async (title: string, markdown: string): Promise<string> => {
    const changes = [{ operation: 'insert_page', title, document: { markdown }, ref: 'page' }];
    const { body } = await rig.send('POST', `${space}/content`, { body: { changes } });
    return String(get(body, 'refs.page'));
  };
  const post = (body: object, { token }: Person = writer, path = base) => rig.send('POST', path, { token, body });
  const says = (markdown: string) => ({ body: { markdown } });
  const posted = async (markdown: string, person: Person = writer, more: object = {}): Promise<string> =>
    `${base}/${String((await post({ ...says(markdown), ...more }, person)).body['id'])}`;
  const put = (path: string, body: object, { token }: Person = writer) => rig.send('PUT', path, { token, body });
  const refusal = ({ status, body }: Answer) => [status, body?.error?.reason, body?.error?.details?.[0]?.path];

  it('are posted on a space, and shown as markdown or as a document', async () => {
    const { status, body } = await post(says('Hello **world**'));
    expect(status).toBe(200);
    const id = String(body['id']);
    expect(body).toMatchObject({
      object: 'comment',
      status: 'open',
      postedBy: { object: 'user', displayName: 'Wri Ter' },
      reactions: [],
      replies: 0,
      repliers: [],
      body: { markdown: 'Hello **world**\n' },
      target: { space: space.slice('/spaces/'.length), revision: expect.any(String) },
      urls: { location: `https://docs.example/v1${base}/${id}` },
      permissions: { view: true, edit: true, reply: true, delete: true },
    });
    expect(body).not.toHaveProperty('editedAt');
    const shown = (await rig.send('GET', `${base}/${id}?format=document`, { token: reader.token })).body;
    expect(shown).toMatchObject({ permissions: { view: true, edit: false, reply: false, delete: false } });
    expect(get(shown, 'body.document.object')).toBe('document');
    expect(get(shown, 'body.markdown')).toBeUndefined();
    const document = get(shown, 'body.document');
    for (const given of [{ document }, document]) {
      const again = await post({ body: given });
      expect(again.body['body']).toEqual({ markdown: 'Hello **world**\n' });
    }
  });

  it('are about a page, a node or a cell of a table', async () => {
    const shown = (await rig.send('GET', `${space}/content/page/${page}?format=document`)).body;
    const [paragraph, table] = get(shown, 'document.nodes') as { key: string; data: Record<string, object> }[];
    const revision = (await rig.send('GET', space)).body['revision'];
    const tableCell = {
      record: String(Object.keys(table?.data['records'] ?? {})[0]),
      definition: String(Object.keys(table?.data['definition'] ?? {})[0]),
    };
    const onPage = await post({ ...says('Page'), page });
    expect(onPage.body['target']).toEqual({ space: space.slice(8), page: { id: page }, revision });
    const onNode = await post({ ...says('Node'), page, node: paragraph?.key });
    expect(onNode.body['target']).toMatchObject({ page: { id: page }, node: { id: paragraph?.key } });
    const onCell = await post({ ...says('Cell'), page, node: table?.key, tableCell });
    expect(onCell.body['target']).toMatchObject({ node: { id: table?.key }, tableCell });
    expect((await post({ ...says('Cell'), page, tableCell })).status).toBe(200);
    const unknown = [
      { page: 'nowhere' },
      { page, node: 'nowhere' },
      { page, node: paragraph?.key, tableCell },
      { page, tableCell: { ...tableCell, record: 'nowhere' } },
    ];
    for (const target of unknown)
      expect(refusal(await post({ ...says('x'), ...target }))).toEqual([400, 'invalid_request', 'body.target']);
    expect(refusal(await post({ ...says('x'), node: 'n' }))).toEqual([400, 'invalid_request', 'body.page']);
    expect(refusal(await post({ ...says('x'), tableCell }))).toEqual([400, 'invalid_request', 'body.page']);
  });

  it('stay when their page goes, and say so', async () => {
    const gone = await newPage('Gone', 'Soon.');
    const path = await posted('On a page', writer, { page: gone });
    expect((await rig.send('GET', path)).body).not.toHaveProperty('orphaned');
    await rig.send('POST', `${space}/content`, { body: { changes: [{ operation: 'delete_page', page: gone }] } });
    expect((await rig.send('GET', path)).body).toMatchObject({ orphaned: true, target: { page: { id: gone } } });
    const listed = await rig.send('GET', `${base}?targetPage=${gone}`);
    expect(listed.body.items).toMatchObject([{ orphaned: true }]);
  });

  it('are refused with the field that is wrong', async () => {
    const invalid = (path: string) => [400, 'invalid_request', path];
    expect(refusal(await post({}))).toEqual(invalid('body.body'));
    expect(refusal(await post(says('  \n')))).toEqual(invalid('body.body.markdown'));
    expect(refusal(await post({ body: { document: { object: 'document', nodes: [] } } }))).toEqual(
      invalid('body.body'),
    );
    const broken = { object: 'document', nodes: [{ object: 'nothing' }] };
    expect(refusal(await post({ body: { document: broken } }))).toEqual(invalid('body.body'));
    expect(refusal(await post(says('x'.repeat(65_537))))).toEqual([413, 'too_large', 'body.body.markdown']);
    const many = Array.from({ length: 101 }, (_, i) => `[@x](mention://user/u${i})`).join(' ');
    expect(refusal(await post(says(many)))).toEqual(invalid('body.body'));
    expect(refusal(await rig.send('GET', `${base}?status=other`))).toEqual(invalid('query.status'));
    expect(refusal(await rig.send('GET', `${base}?order=up`))).toEqual(invalid('query.order'));
    expect(refusal(await rig.send('GET', `${base}?format=html`))).toEqual(invalid('query.format'));
    const path = await posted('x');
    expect(refusal(await put(path, { addedReactions: ['xy'] }))).toEqual(invalid('body.addedReactions[0]'));
    expect(refusal(await put(path, { resolved: 'yes' }))).toEqual(invalid('body.resolved'));
  });

  it('are posted by those who may comment; others may read, or know of nothing', async () => {
    expect(refusal(await post(says('x'), reader))).toEqual([403, 'forbidden', undefined]);
    expect(refusal(await post(says('x'), stranger))).toEqual([404, 'not_found', undefined]);
    const path = await posted('x');
    expect((await rig.send('GET', path, { token: stranger.token })).status).toBe(404);
    expect((await rig.send('GET', base, { token: stranger.token })).status).toBe(404);
    expect((await rig.send('GET', `${base}/unknown`)).status).toBe(404);
    expect((await put(`${base}/unknown`, {})).status).toBe(404);
    expect((await rig.send('DELETE', `${base}/unknown`)).status).toBe(204);
    expect((await rig.send('DELETE', '/spaces/unknown/comments/unknown')).status).toBe(404);
    expect((await rig.send('GET', '/spaces/unknown/comments')).status).toBe(404);
  });

  it('are changed by their author alone', async () => {
    const path = await posted('Before');
    const edited = await put(path, says('After'));
    expect([edited.status, get(edited.body, 'body.markdown')]).toEqual([200, 'After\n']);
    expect(edited.body['editedAt']).toMatch(/^20/);
    const same = await put(path, says('After'));
    expect(same.body['editedAt']).toBe(edited.body['editedAt']);
    expect(refusal(await put(path, says('Mine'), editor))).toEqual([403, 'forbidden', 'body.body']);
    expect(get((await rig.send('GET', path)).body, 'body.markdown')).toBe('After\n');
  });

  it('are resolved and reopened by their author, and by those who may edit', async () => {
    const path = await posted('Open');
    const other = await rig.member('Another Commenter', 'comment');
    expect(refusal(await put(path, { resolved: true }, other))).toEqual([403, 'forbidden', 'body.resolved']);
    const resolved = await put(path, { resolved: true }, editor);
    expect(resolved.body).toMatchObject({ status: 'resolved', resolvedBy: { displayName: 'Edi Tor' } });
    expect(resolved.body['resolvedAt']).toMatch(/^20/);
    expect((await put(path, { resolved: true })).body['resolvedAt']).toBe(resolved.body['resolvedAt']);
    const reopened = await put(path, { resolved: false });
    expect(reopened.body['status']).toBe('open');
    expect(reopened.body).not.toHaveProperty('resolvedAt');
    expect(reopened.body).not.toHaveProperty('resolvedBy');
  });

  it('have reactions, each person and emoji once', async () => {
    const path = await posted('React');
    const first = await put(path, { addedReactions: ['🎉', '1f389', '1F44D'] });
    expect(first.body['reactions']).toMatchObject([
      { emoji: '1f389', count: 1, users: [{ user: { displayName: 'Wri Ter' }, reactedAt: expect.any(String) }] },
      { emoji: '1f44d', count: 1 },
    ]);
    const second = await put(path, { addedReactions: ['🎉', '❤'], removedReactions: ['❤️'] }, editor);
    expect((second.body['reactions'] as object[]).map((reaction) => get(reaction, 'count'))).toEqual([2, 1]);
    const third = await put(path, { addedReactions: ['🎉'], removedReactions: ['🎉', '👍'] });
    expect(third.body['reactions']).toMatchObject([{ emoji: '1f389', count: 1, users: [{ user: { id: editor.id } }] }]);
    expect(third.body).not.toHaveProperty('editedAt');
  });

  it('have replies, with who wrote them', async () => {
    const path = await posted('Question');
    const replies = `${path}/replies`;
    const reply = async (markdown: string, person: Person) =>
      `${replies}/${String((await post(says(markdown), person, replies)).body['id'])}`;
    const first = await reply('Answer', editor);
    const second = await reply('Thanks', writer);
    await reply('Welcome', editor);
    const { body } = await rig.send('GET', path);
    expect(body).toMatchObject({ replies: 3, repliers: [{ user: { id: editor.id }, count: 2 }, { count: 1 }] });
    const listed = (await rig.send('GET', `${replies}?limit=2`, { token: reader.token })).body;
    expect([listed['count'], listed.items.map((item) => get(item, 'body.markdown'))]).toEqual([
      3,
      ['Answer\n', 'Thanks\n'],
    ]);
    const rest = await rig.send(
      'GET',
      `${replies}?limit=2&page=${encodeURIComponent(String(get(listed, 'next.page')))}`,
    );
    expect(rest.body.items).toMatchObject([
      { object: 'comment-reply', body: { markdown: 'Welcome\n' }, postedBy: { id: editor.id } },
    ]);
    expect((await rig.send('GET', first, { token: reader.token })).body).toMatchObject({
      body: { markdown: 'Answer\n' },
      permissions: { edit: false, reply: false, delete: false },
      urls: { location: `https://docs.example/v1${first}` },
    });
    const edited = await put(first, { ...says('Better answer'), addedReactions: ['👍'] }, editor);
    expect(edited.body).toMatchObject({ body: { markdown: 'Better answer\n' }, reactions: [{ emoji: '1f44d' }] });
    expect(refusal(await put(first, says('Mine')))).toEqual([403, 'forbidden', 'body.body']);
    expect((await put(first, { removedReactions: ['👍'] }, editor)).body['reactions']).toEqual([]);
    expect((await rig.send('DELETE', first, { token: writer.token })).status).toBe(403);
    expect((await rig.send('DELETE', second, { token: writer.token })).status).toBe(205);
    expect((await rig.send('DELETE', second, { token: writer.token })).status).toBe(204);
    expect((await rig.send('GET', second)).status).toBe(404);
    expect((await rig.send('GET', path)).body).toMatchObject({ replies: 2, repliers: [{ count: 2 }] });
    const elsewhere = first.replace(path, await posted('Other'));
    expect((await rig.send('GET', elsewhere)).status).toBe(404);
    expect((await rig.send('DELETE', path)).status).toBe(205);
    expect((await rig.send('GET', first)).status).toBe(404);
    expect((await rig.send('DELETE', first)).status).toBe(404);
    expect((await post(says('x'), writer, replies)).status).toBe(404);
  });

  it('are deleted by their author and by those who may create', async () => {
    const path = await posted('x');
    expect((await rig.send('DELETE', path, { token: editor.token })).status).toBe(403);
    expect((await rig.send('DELETE', path, { token: writer.token })).status).toBe(205);
    expect((await rig.send('DELETE', path, { token: writer.token })).status).toBe(204);
    expect((await rig.send('GET', path)).status).toBe(404);
    expect((await rig.send('DELETE', await posted('x'))).status).toBe(205);
  });

  it('are listed by when they were posted, and filtered', async () => {
    const made = await rig.send('POST', `/orgs/${rig.organization}/spaces`, { body: { title: 'Listed' } });
    const list = `/spaces/${String(made.body['id'])}/comments`;
    const ids: string[] = [];
    for (const [text, person] of [
      ['One', writer],
      ['Two', editor],
      ['Three', writer],
    ] as const)
      ids.push(String((await post(says(text), person, list)).body['id']));
    await put(`${list}/${String(ids[1])}`, { resolved: true }, editor);
    const listed = async (query = '') => {
      const { body } = await rig.send('GET', `${list}?${query}`, { token: reader.token });
      return [body['count'], ...body.items.map(({ id }) => ids.indexOf(String(id)))];
    };
    expect(await listed()).toEqual([3, 2, 1, 0]);
    expect(await listed('order=asc')).toEqual([3, 0, 1, 2]);
    expect(await listed('status=open')).toEqual([2, 2, 0]);
    expect(await listed('status=resolved')).toEqual([1, 1]);
    expect(await listed(`authors=${writer.id}`)).toEqual([2, 2, 0]);
    expect(await listed(`authors=${writer.id}&authors=${editor.id}&status=resolved`)).toEqual([1, 1]);
    expect(await listed(`targetPage=${page}`)).toEqual([0]);
    expect(await listed('limit=0')).toEqual([3]);
    const first = (await rig.send('GET', `${list}?limit=2`)).body;
    const next = encodeURIComponent(String(get(first, 'next.page')));
    expect(await listed(`limit=2&page=${next}`)).toEqual([3, 0]);
    expect(refusal(await rig.send('GET', `${list}?page=${next}&status=open`))).toEqual([
      400,
      'invalid_request',
      'query.page',
    ]);
    const commenters = await rig.send('GET', list.replace('comments', 'commenters'));
    expect(commenters.body.items.map(({ id, object }) => [object, id])).toEqual([
      ['member', writer.id],
      ['member', editor.id],
    ]);
    await rig.send('DELETE', `${list}/${String(ids[1])}`);
    expect(await listed()).toEqual([2, 2, 0]);
    expect((await rig.send('GET', list.replace('comments', 'commenters'))).body['count']).toBe(1);
    const shown = await rig.send('GET', list.replace('/comments', ''));
    expect(shown.body['comments']).toBe(2);
  });

  it('show guests who has written, though they see no members', async () => {
    const guest = await rig.member('Gus Guest', null);
    await rig.send('POST', `${space}/permissions`, { body: { role: 'comment', users: [guest.id] } });
    const made = await rig.send('POST', `/orgs/${rig.organization}/spaces`, { body: { title: 'Other', empty: true } });
    const other = `/spaces/${String(made.body['id'])}`;
    await rig.send('POST', `${other}/comments`, { token: editor.token, body: says('Elsewhere') });
    await post(says('Seen by a guest'));
    await post(says('Written by a guest'), guest);
    const read = async (path: string) => (await rig.send('GET', path, { token: guest.token })).body;
    const { items } = await read(`${space}/commenters`);
    const byWriter = items.find(({ id }) => id === writer.id);
    expect(byWriter).toEqual({
      object: 'member',
      id: writer.id,
      user: expect.objectContaining({ object: 'user', id: writer.id, displayName: 'Wri Ter' }),
    });
    expect(byWriter?.['user']).not.toHaveProperty('email');
    expect(items.find(({ id }) => id === guest.id)).toMatchObject({ object: 'member', role: null });
    expect((await read(`${space}/comments`)).items).toContainEqual(
      expect.objectContaining({ postedBy: expect.objectContaining({ displayName: 'Wri Ter' }) }),
    );
    expect((await rig.send('GET', `${other}/commenters`, { token: guest.token })).status).toBe(404);
  });

  it('mention people by their ids, and keep no names', async () => {
    const path = await posted(`Ask [@Edi Tor](mention://user/${editor.id}) today`);
    expect(get((await rig.send('GET', path)).body, 'body.markdown')).toBe(
      `Ask [@${editor.id}](mention://user/${editor.id}) today\n`,
    );
    expect(JSON.stringify((await rig.send('GET', `${path}?format=document`)).body['body'])).not.toContain('Edi Tor');
  });

  it('are tried, posted once for a key, and changed only as they were seen', async () => {
    const tried = await rig.send('POST', `${base}?dryRun=true`, { body: says('Tried') });
    expect([tried.status, get(tried.body, 'body.markdown')]).toEqual([200, 'Tried\n']);
    expect((await rig.send('GET', `${base}/${String(tried.body['id'])}`)).status).toBe(404);
    const keyed = { headers: { 'idempotency-key': 'once' }, body: says('Once') };
    const [one, two] = [await rig.send('POST', base, keyed), await rig.send('POST', base, keyed)];
    expect(two.body).toEqual(one.body);
    const path = `${base}/${String(one.body['id'])}`;
    const etag = String((await rig.send('GET', path)).headers.get('etag'));
    const change = (markdown: string) => rig.send('PUT', path, { headers: { 'if-match': etag }, body: says(markdown) });
    expect((await change('Seen')).status).toBe(200);
    expect((await change('Unseen')).status).toBe(412);
    const dry = await rig.send('PUT', `${path}?dryRun=true`, { body: says('Not yet') });
    expect(get(dry.body, 'body.markdown')).toBe('Not yet\n');
    expect(get((await rig.send('GET', path)).body, 'body.markdown')).toBe('Seen\n');
  });

  it('are told by audit and change feed', async () => {
    const path = await posted('Told');
    await put(path, { resolved: true });
    const target = path.slice(base.length + 1);
    await eventually(async () => {
      const { body } = await rig.send('GET', `/orgs/${rig.organization}/audit-events?target=${target}`);
      return body.items.map(({ action }) => action).join() === 'comment_resolved,comment_posted';
    });
    const changes = await rig.send('GET', `/orgs/${rig.organization}/changes?limit=1000`, { token: reader.token });
    expect(changes.body.items.some((item) => get(item, 'target.id') === target)).toBe(true);
  });

  it('of a deleted space are read by its admins, and written by nobody', async () => {
    const made = await rig.send('POST', `/orgs/${rig.organization}/spaces`, { body: { title: 'Deleted' } });
    const path = `/spaces/${String(made.body['id'])}`;
    const comment = `${path}/comments/${String((await post(says('x'), writer, `${path}/comments`)).body['id'])}`;
    await rig.send('DELETE', path);
    for (const target of [`${path}/comments`, comment, `${comment}/replies`, `${path}/commenters`]) {
      expect((await rig.send('GET', target)).status).toBe(200);
      expect((await rig.send('GET', target, { token: writer.token })).status).toBe(404);
    }
    expect((await rig.send('GET', comment)).body['permissions']).toEqual({
      view: true,
      edit: false,
      reply: false,
      delete: false,
    });
    expect((await post(says('x'), rig.owner, `${path}/comments`)).status).toBe(404);
    expect((await put(comment, { resolved: true }, rig.owner)).status).toBe(404);
    expect((await post(says('x'), rig.owner, `${comment}/replies`)).status).toBe(404);
    expect((await rig.send('DELETE', comment)).status).toBe(404);
  });
});
