import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get, startRig, type Answer, type Person, type Rig } from '../../test/rig.js';

describe('spaces', () => {
  let rig: Rig;
  let base: string;
  let creator: Person;
  let editor: Person;
  let guest: Person;
  beforeAll(async () => {
    rig = await startRig();
    base = `/orgs/${rig.organization}/spaces`;
    creator = await rig.member('Cleo Creator', 'create');
    editor = await rig.member('Edda Editor', 'edit');
    guest = await rig.member('Gus Guest', null);
  }, 60_000);
  afterAll(() => rig.stop());

  const make = async (body: object = {}, { token }: Person = creator): Promise<string> =>
    `/spaces/${String((await rig.send('POST', base, { token, body })).body['id'])}`;
  const refusal = ({ status, body: { error } }: Answer) => [
    status,
    error.reason,
    error.details?.[0]?.path ?? (status === 503 ? error.message : undefined),
  ];

  it('are created with what is given, shown at their location and listed', async () => {
    const body = { title: 'Handbook', emoji: '1f4d8', language: 'pt-br', editMode: 'live' };
    const created = await rig.send('POST', base, { token: creator.token, body });
    expect(created.status).toBe(201);
    const path = `/spaces/${String(created.body['id'])}`;
    expect(created.headers.get('location')).toBe(`https://docs.example/v1${path}`);
    expect(created.body).toMatchObject({
      object: 'space',
      ...body,
      organization: rig.organization,
      visibility: 'private',
      defaultLevel: 'inherit',
      mergeRules: { type: 'inherit', rules: [] },
      urls: {
        location: `https://docs.example/v1${path}`,
        app: `https://docs.example/o/${rig.organization}/s/${String(created.body['id'])}`,
      },
      permissions: { view: true, access: true, admin: true, merge: true, triggerGitSync: true },
    });
    expect(created.body).not.toHaveProperty('parent');
    expect((await rig.send('GET', path, { token: creator.token })).body).toEqual(created.body);
    const list = await rig.send('GET', base, { token: creator.token });
    expect(list.body).toEqual({ items: [created.body], count: 1 });
  });

  it('need no body, and are locked and without a title then', async () => {
    const { status, body } = await rig.send('POST', base, { token: creator.token });
    expect([status, body['title'], body['editMode']]).toEqual([201, 'Untitled', 'locked']);
  });

  it('are created by whoever may create content', async () => {
    expect((await rig.send('POST', base, { token: editor.token })).status).toBe(403);
    expect((await rig.send('POST', base, { token: guest.token })).status).toBe(403);
    expect((await rig.send('POST', base, { token: (await rig.person('Otto Other')).token })).status).toBe(404);
  });

  it('are refused with the field that is wrong', async () => {
    const post = async (body: object) => refusal(await rig.send('POST', base, { body }));
    expect(await post({ title: 'x'.repeat(51) })).toEqual([400, 'invalid_request', 'body.title']);
    expect(await post({ emoji: 'smile' })).toEqual([400, 'invalid_request', 'body.emoji']);
    expect(await post({ language: 'xx' })).toEqual([400, 'invalid_request', 'body.language']);
    expect(await post({ parent: 'nowhere' })).toEqual([404, 'not_found', 'body.parent']);
  });

  it('are changed, each setting by itself', async () => {
    const path = await make({ title: 'Before', emoji: '1f600' });
    const patch = async (body: object) => (await rig.send('PATCH', path, { token: creator.token, body })).body;
    expect(await patch({ title: 'After', editMode: 'live' })).toMatchObject({ title: 'After', editMode: 'live' });
    const withIcon = await patch({ icon: 'https://x.example/i.png' });
    expect(withIcon).toMatchObject({ urls: { icon: 'https://x.example/i.png' } });
    // Clients expect an emoji of every space: one without has a book.
    expect(withIcon).toMatchObject({ emoji: '1f4d6' });
    const withEmoji = await patch({ emoji: '1f600' });
    expect([withEmoji['emoji'], get(withEmoji, 'urls.icon')]).toEqual(['1f600', undefined]);
    expect(await patch({ emoji: null })).toMatchObject({ emoji: '1f4d6' });
    expect(await patch({ defaultLevel: 'read' })).toMatchObject({ defaultLevel: 'read' });
    const rules = [{ rule: 'require_specific_reviewers', users: [editor.id] }];
    expect(await patch({ mergeRules: { type: 'rules', rules } })).toMatchObject({
      mergeRules: { type: 'rules', rules },
    });
    expect(await patch({ mergeRules: { type: 'inherit' } })).toMatchObject({
      mergeRules: { type: 'inherit', rules: [] },
    });
    expect((await rig.send('GET', path, { token: editor.token })).body).toMatchObject({
      title: 'After',
      permissions: { view: true, edit: false },
    });
  });

  it('refuse settings that cannot be', async () => {
    const path = await make();
    const patch = async (body: object) => refusal(await rig.send('PATCH', path, { token: creator.token, body }));
    expect(await patch({ emoji: '1f600', icon: 'https://x.example/i.png' })).toEqual([
      400,
      'invalid_request',
      'body.icon',
    ]);
    const reviewers = { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: [editor.id, 'nobody'] }] };
    expect(await patch({ mergeRules: reviewers })).toEqual([
      400,
      'invalid_request',
      'body.mergeRules.rules[0].users[1]',
    ]);
    const custom = { type: 'rules', rules: [{ rule: 'custom', expression: 'nonsense(' }] };
    expect(await patch({ mergeRules: custom })).toEqual([
      400,
      'condition_invalid',
      'body.mergeRules.rules[0].expression',
    ]);
    expect(await patch({ title: null })).toEqual([400, 'invalid_request', 'body.title']);
  });

  it('are hidden by a default level, but for those to whom more was granted', async () => {
    const path = await make({ title: 'Closed' });
    await rig.send('PATCH', path, { token: creator.token, body: { defaultLevel: null } });
    expect((await rig.send('GET', path, { token: editor.token })).status).toBe(404);
    expect((await rig.send('PATCH', path, { token: editor.token, body: { title: 'x' } })).status).toBe(404);
    expect((await rig.send('DELETE', path, { token: editor.token })).status).toBe(204);
    expect((await rig.send('GET', path)).body).toMatchObject({ permissions: { admin: true } });
    expect((await rig.send('GET', path, { token: creator.token })).status).toBe(200);
    await rig.send('POST', `${path}/permissions`, { token: creator.token, body: { role: 'read', users: [guest.id] } });
    expect((await rig.send('GET', path, { token: guest.token })).body).toMatchObject({ permissions: { edit: false } });
    const seen = await rig.send('GET', base, { token: guest.token });
    expect([seen.body['count'], seen.body.items.map((item) => item['title'])]).toEqual([1, ['Closed']]);
  });

  it('do not take a default level above that of whoever sets it', async () => {
    const path = await make();
    const own = { token: creator.token };
    await rig.send('POST', `${path}/permissions`, { body: { role: 'create', users: [creator.id] } });
    const patch = async (defaultLevel: string) =>
      refusal(await rig.send('PATCH', path, { ...own, body: { defaultLevel } }));
    expect(await patch('admin')).toEqual([403, 'forbidden', 'body.defaultLevel']);
    expect((await rig.send('PATCH', path, { ...own, body: { defaultLevel: 'create' } })).status).toBe(200);
  });

  it('are deleted once, shown to their admins then, and restored', async () => {
    const path = await make({ title: 'Short lived' });
    const admin = { token: creator.token };
    const counted = (await rig.send('GET', base, admin)).body['count'];
    expect((await rig.send('DELETE', path, { token: editor.token })).status).toBe(403);
    expect((await rig.send('DELETE', path, admin)).status).toBe(205);
    expect((await rig.send('DELETE', path, admin)).status).toBe(204);
    expect((await rig.send('GET', path, admin)).body['deletedAt']).toMatch(/^20/);
    expect((await rig.send('GET', path, { token: editor.token })).status).toBe(404);
    expect((await rig.send('PATCH', path, { ...admin, body: { title: 'x' } })).status).toBe(404);
    expect((await rig.send('GET', `${path}/permissions/users`, admin)).status).toBe(404);
    expect((await rig.send('GET', base, admin)).body['count']).toBe(Number(counted) - 1);
    expect((await rig.send('POST', `${path}/restore`, { token: editor.token })).status).toBe(404);
    const restored = await rig.send('POST', `${path}/restore`, admin);
    expect([restored.status, restored.body['title']]).toEqual([200, 'Short lived']);
    expect(restored.body).not.toHaveProperty('deletedAt');
    expect((await rig.send('POST', `${path}/restore`, { token: editor.token })).status).toBe(403);
    expect(refusal(await rig.send('POST', `${path}/restore`, admin))).toEqual([409, 'no_change', undefined]);
    expect((await rig.send('GET', path, { token: editor.token })).status).toBe(200);
  });

  it('are paged in the order in which they were created', async () => {
    const other = String((await rig.send('POST', '/orgs', { body: { title: 'Paged' } })).body['id']);
    for (const title of ['One', 'Two', 'Three']) await rig.send('POST', `/orgs/${other}/spaces`, { body: { title } });
    const first = await rig.send('GET', `/orgs/${other}/spaces?limit=2`);
    expect([first.body['count'], first.body.items.map(({ title }) => title)]).toEqual([3, ['One', 'Two']]);
    await rig.send('DELETE', `/spaces/${String(first.body.items[1]?.['id'])}`);
    const page = encodeURIComponent(String(get(first.body, 'next.page')));
    const second = await rig.send('GET', `/orgs/${other}/spaces?limit=2&page=${page}`);
    expect([second.body['count'], second.body.items.map(({ title }) => title)]).toEqual([2, ['Three']]);
    expect(second.body).not.toHaveProperty('next');
    expect((await rig.send('GET', `/orgs/${other}/spaces?limit=0`)).body).toEqual({ items: [], count: 2 });
    expect(refusal(await rig.send('GET', `${base}?page=${page}`))).toEqual([400, 'invalid_request', 'query.page']);
  });

  it('are tried, created once for a key, and changed only as they were seen', async () => {
    const tried = await rig.send('POST', `${base}?dryRun=true`, { body: { title: 'Tried' } });
    expect([tried.status, tried.body['title']]).toEqual([201, 'Tried']);
    expect((await rig.send('GET', `/spaces/${String(tried.body['id'])}`)).status).toBe(404);
    const keyed = { headers: { 'idempotency-key': 'once' }, body: { title: 'Once' } };
    const [one, two] = [await rig.send('POST', base, keyed), await rig.send('POST', base, keyed)];
    expect(two.body).toEqual(one.body);
    const path = `/spaces/${String(one.body['id'])}`;
    const etag = String((await rig.send('GET', path)).headers.get('etag'));
    const patch = (title: string) => rig.send('PATCH', path, { headers: { 'if-match': etag }, body: { title } });
    expect((await patch('Seen')).status).toBe(200);
    expect((await patch('Unseen')).status).toBe(412);
    const dry = await rig.send('PATCH', `${path}?dryRun=true`, { body: { title: 'Not yet' } });
    expect(dry.body['title']).toBe('Not yet');
    expect((await rig.send('GET', path)).body['title']).toBe('Seen');
  });

  it('are shown as they were', async () => {
    const path = await make({ title: 'First' });
    const { headers } = await rig.send('PATCH', path, { body: { title: 'Second', defaultLevel: 'read' } });
    const position = String(headers.get('scriptorium-position'));
    await rig.send('PATCH', path, { body: { title: 'Third', defaultLevel: 'edit' } });
    const then = await rig.send('GET', `${path}?asOf=${position}`);
    expect(then.body).toMatchObject({ title: 'Second', defaultLevel: 'read' });
  });

  it('are told by audit and change feed, under the names of their events', async () => {
    const path = await make({ title: 'Told' });
    const target = path.slice('/spaces/'.length);
    await rig.send('PATCH', path, { body: { title: 'Told again' } });
    await rig.send('DELETE', path);
    const audit = await rig.send('GET', `/orgs/${rig.organization}/audit-events?target=${target}`);
    expect(audit.body.items.map(({ action }) => action)).toEqual([
      'space_deleted',
      'space_renamed',
      'space_added',
      'space_user_grant_given',
    ]);
    const changes = await rig.send('GET', `/orgs/${rig.organization}/changes?limit=1000`);
    expect(changes.body.items.some((item) => get(item, 'target.id') === target)).toBe(true);
    const hidden = await rig.send('GET', `/orgs/${rig.organization}/changes?limit=1000`, { token: guest.token });
    expect(hidden.body.items.some((item) => get(item, 'target.id') === target)).toBe(false);
  });
});
