import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get, type Answer, type Person } from '../test/rig.js';
import { refusal, startSiteRig, type SiteRig } from '../test/site-rig.js';

describe('what stands on a site', () => {
  let world: SiteRig;
  const spaces: Record<string, string> = {};
  beforeAll(async () => {
    world = await startSiteRig();
    for (const name of ['A', 'B', 'C', 'D', 'E']) spaces[name] = await world.space(`Space ${name}`);
  }, 60_000);
  afterAll(() => world.rig.stop());

  const send = (method: string, path: string, body?: object, { token }: Person = world.creator) =>
    world.rig.send(method, path, { token, ...(body === undefined ? {} : { body }) });
  const named = (...names: string[]): string[] => names.map((name) => spaces[name] ?? '');
  const newSite = (...names: string[]) => world.site({ title: 'Docs', spaces: named(...names) });
  const add = async (site: string, name: string, sectionId?: string): Promise<Answer> =>
    send('POST', `${site}/site-spaces`, { spaceId: spaces[name], ...(sectionId === undefined ? {} : { sectionId }) });
  const section = async (site: string, name: string, more: object = {}): Promise<string> =>
    String((await send('POST', `${site}/sections`, { spaceId: spaces[name], ...more })).body['id']);
  const group = async (site: string, title: string, more: object = {}): Promise<string> =>
    String((await send('POST', `${site}/section-groups`, { title, ...more })).body['id']);
  /** Paths of spaces and sections, and titles of groups, with what stands in them. */
  const outline = async (site: string): Promise<unknown> => {
    const { body } = await send('GET', `${site}/structure`);
    const of = (one: Record<string, unknown>): unknown => {
      if (one['object'] === 'site-space') return one['default'] === true ? `${String(one['path'])}*` : one['path'];
      const inner = (one['object'] === 'site-section' ? one['siteSpaces'] : one['children']) as Record<
        string,
        unknown
      >[];
      const name = one['object'] === 'site-section' ? one['path'] : one['title'];
      return [one['default'] === true ? `${String(name)}*` : name, ...inner.map(of)];
    };
    return (body['structure'] as Record<string, unknown>[]).map(of);
  };
  const idAt = async (site: string, list: string, index: number): Promise<string> =>
    String((await send('GET', `${site}/${list}`)).body.items[index]?.['id']);

  it('are spaces, each once', async () => {
    const site = await newSite('A');
    const { status, body } = await add(site, 'B');
    expect([status, String(body['id'])]).toEqual([201, expect.stringMatching(/^sitesp_\w{10}$/)]);
    expect(body).toMatchObject({ path: 'space-b', default: false, hidden: false, space: { id: spaces['B'] } });
    expect(refusal(await add(site, 'B'))).toEqual([409, 'already_exists', 'body.spaceId']);
    expect(refusal(await add(site, 'nothing'))).toEqual([400, 'invalid_request', 'body.spaceId']);
    expect(refusal(await send('POST', `${site}/site-spaces`, { spaceId: 'none' }))[0]).toBe(404);
    expect(refusal(await add(site, 'C', 'none'))).toEqual([400, 'invalid_request', 'body.sectionId']);
    expect((await send('POST', `${site}/site-spaces`, { spaceId: spaces['C'] }, world.editor)).status).toBe(403);
    expect((await send('GET', `${site}/site-spaces`, undefined, world.editor)).body['count']).toBe(2);
    expect((await send('GET', `${site}/site-spaces`, undefined, world.guest)).status).toBe(404);
    const defaults = (await send('GET', `${site}/site-spaces?default=true`)).body.items;
    expect(defaults).toMatchObject([{ path: 'space-a', default: true }]);
    expect((await send('GET', `${site}/site-spaces?default=false`)).body['count']).toBe(1);
  });

  it('change their path, condition, space, and whether they are hidden', async () => {
    const site = await newSite('A', 'B');
    const path = `${site}/site-spaces/${await idAt(site, 'site-spaces', 1)}`;
    const change = { path: 'beta', condition: 'visitor.claims.beta', hidden: true };
    expect((await send('PATCH', path, { ...change, spaceId: spaces['C'] })).body).toMatchObject({
      ...change,
      title: 'Space C',
    });
    expect((await send('PATCH', path, { path: 'beta' })).body).toMatchObject(change);
    expect((await send('PATCH', path, { condition: null, hidden: false })).body).not.toHaveProperty('condition');
    expect(refusal(await send('PATCH', path, { path: 'space-a' }))).toEqual([409, 'already_exists', 'body.path']);
    expect(refusal(await send('PATCH', path, { condition: 'nope(' }))).toEqual([
      400,
      'condition_invalid',
      'body.condition',
    ]);
    expect(refusal(await send('PATCH', path, { condition: '"text"' }))[1]).toBe('condition_invalid');
    expect(refusal(await send('PATCH', path, { spaceId: spaces['A'] }))[1]).toBe('already_exists');
    expect(refusal(await send('PATCH', path, { spaceId: 'none' }))[0]).toBe(404);
    expect(refusal(await send('PATCH', `${site}/site-spaces/none`, { path: 'x' }))[0]).toBe(404);
  });

  it('are copied with their content, directly after themselves and for the same visitors, once for a request', async () => {
    const site = await newSite('A', 'B');
    const path = `${site}/site-spaces/${await idAt(site, 'site-spaces', 0)}`;
    await send('PATCH', path, { condition: 'visitor.claims.beta', hidden: true });
    const headers = { 'idempotency-key': 'copied-once' };
    const copy = () => world.rig.send('POST', `${path}/duplicate`, { token: world.creator.token, headers });
    const { status, body } = await copy();
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        title: 'Space A (copy)',
        path: 'space-a-copy',
        condition: 'visitor.claims.beta',
        hidden: true,
        default: false,
      }),
    ]);
    expect(get(body, 'space.id')).not.toBe(spaces['A']);
    expect((await copy()).body['id']).toBe(body['id']);
    expect(await outline(site)).toEqual(['space-a*', 'space-a-copy', 'space-b']);
    expect((await send('POST', `${path}/duplicate`, undefined, world.editor)).status).toBe(403);
    expect((await send('POST', `${site}/site-spaces/none/duplicate`)).status).toBe(404);
    await send('DELETE', `/spaces/${String(get(body, 'space.id'))}`, undefined, world.rig.owner);
  });

  it('are moved among each other, and the default stays the same', async () => {
    const site = await newSite('A', 'B', 'C');
    const [a, b, c] = [0, 1, 2].map((i) => idAt(site, 'site-spaces', i));
    const pointer = async (id: Promise<string> | undefined) => ({ type: 'site-space', siteSpace: await id });
    const move = async (id: Promise<string> | undefined, position?: object) =>
      send('POST', `${site}/site-spaces/${await id}/move`, position === undefined ? {} : { position });
    const moved = await move(c, { before: await pointer(a) });
    expect([moved.status, moved.headers.get('deprecation')]).toEqual([200, expect.any(String)]);
    expect(await outline(site)).toEqual(['space-c', 'space-a*', 'space-b']);
    await move(c, { after: await pointer(b) });
    expect(await outline(site)).toEqual(['space-a*', 'space-b', 'space-c']);
    expect(refusal(await move(c))).toEqual([400, 'position_invalid', 'body.position']);
    const both = { before: await pointer(a), after: await pointer(b) };
    expect(refusal(await move(c, both))[1]).toBe('position_invalid');
    expect((await move(c, { after: { type: 'site-space', siteSpace: 'none' } })).status).toBe(404);
    expect((await move(Promise.resolve('none'), { after: await pointer(a) })).status).toBe(404);
  });

  it('are removed, and the next space becomes the default', async () => {
    const site = await newSite('A', 'B');
    const first = `${site}/site-spaces/${await idAt(site, 'site-spaces', 0)}`;
    expect((await send('DELETE', first, undefined, world.editor)).status).toBe(403);
    expect((await send('DELETE', first, undefined, world.stranger)).status).toBe(404);
    expect([(await send('DELETE', first)).status, (await send('DELETE', first)).status]).toEqual([205, 204]);
    expect(await outline(site)).toEqual(['space-b*']);
    expect((await send('DELETE', `${site}/site-spaces/${await idAt(site, 'site-spaces', 0)}`)).status).toBe(205);
    expect((await send('GET', `${site}/structure`)).body).toEqual({ type: 'siteSpaces', structure: [] });
  });

  it('become sections with the first section, which contains the earlier spaces', async () => {
    const site = await newSite('A', 'B');
    const made = await send('POST', `${site}/sections`, { spaceId: spaces['C'], icon: 'book' });
    expect([made.status, String(made.body['id'])]).toEqual([201, expect.stringMatching(/^sitesc_\w{10}$/)]);
    expect(made.body).toMatchObject({ title: 'Space C', path: 'space-c', icon: 'book', default: false });
    expect(await outline(site)).toEqual([
      ['docs*', 'space-a*', 'space-b'],
      ['space-c', 'space-c*'],
    ]);
    await add(site, 'D');
    expect(await outline(site)).toEqual([
      ['docs*', 'space-a*', 'space-b', 'space-d'],
      ['space-c', 'space-c*'],
    ]);
    expect((await send('DELETE', `${site}/sections/${String(made.body['id'])}`)).status).toBe(205);
    expect((await send('DELETE', `${site}/sections/${String(made.body['id'])}`)).status).toBe(204);
    expect((await send('DELETE', `${site}/sections/${await idAt(site, 'sections', 0)}`)).status).toBe(205);
    expect(await outline(site)).toEqual(['space-a*', 'space-b', 'space-d']);
  });

  it('are sections with settings and a default space of their own', async () => {
    const site = await newSite();
    const id = await section(site, 'A', { title: 'Guides' });
    await section(site, 'B', { title: null });
    await add(site, 'C', id);
    const path = `${site}/sections/${id}`;
    const change = { title: 'Guide', path: 'guide', icon: 'star', description: 'Words.', condition: 'true' };
    expect((await send('PATCH', path, change)).body).toMatchObject({ ...change, default: true });
    const spacesOf = get((await send('GET', `${site}/sections`)).body.items[0], 'siteSpaces') as { id: string }[];
    await send('PATCH', path, { defaultSiteSpace: spacesOf[1]?.id, description: null, condition: null, icon: null });
    expect(await outline(site)).toEqual([
      ['guide*', 'space-a', 'space-c*'],
      ['space-b', 'space-b*'],
    ]);
    expect(refusal(await send('PATCH', path, { path: 'space-b' }))).toEqual([409, 'already_exists', 'body.path']);
    expect(refusal(await send('PATCH', path, { defaultSiteSpace: 'none' }))[2]).toBe('body.defaultSiteSpace');
    expect(refusal(await send('PATCH', path, { condition: '1 + 1' }))[1]).toBe('condition_invalid');
    expect(refusal(await send('PATCH', path, { siteSectionGroupId: 'none' }))[2]).toBe('body.siteSectionGroupId');
    expect((await send('PATCH', `${site}/sections/none`, { title: 'No' })).status).toBe(404);
    const second = await idAt(site, 'sections', 1);
    const { body } = await send('PATCH', site, { defaultSiteSection: second }, world.rig.owner);
    expect(body['object']).toBe('site');
    expect(await outline(site)).toEqual([
      ['guide', 'space-a', 'space-c*'],
      ['space-b*', 'space-b*'],
    ]);
    await send('POST', `${site}/publish`, undefined, world.rig.owner);
    const published = (await send('GET', `${site}/sections`)).body.items.map((one) => get(one, 'urls.published'));
    expect(published).toEqual([expect.stringMatching(/\/guide\/$/), expect.stringMatching(/\/docs[-\d]*\/$/)]);
  });

  it('are groups of sections and of groups', async () => {
    const site = await newSite();
    const [a, b] = [await section(site, 'A'), await section(site, 'B')];
    const outer = await group(site, 'Outer', { sections: [b, a], icon: 'folder' });
    const inner = await group(site, 'Inner', { parent: outer });
    expect(await outline(site)).toEqual([['Outer', ['space-b', 'space-b*'], ['space-a*', 'space-a*'], ['Inner']]]);
    const moved = await send('POST', `${site}/section-groups/${inner}/sections`, { sectionId: a });
    expect([moved.status, moved.body['sectionGroup']]).toEqual([201, outer]);
    expect((moved.body['children'] as object[]).length).toBe(1);
    expect((await send('POST', `${site}/section-groups/${inner}/sections`, { sectionId: a })).status).toBe(201);
    expect((await send('GET', `${site}/section-groups`)).body.items.map(({ title }) => title)).toEqual([
      'Outer',
      'Inner',
    ]);
    const cycle = await send('PATCH', `${site}/section-groups/${outer}`, { parentSectionGroupId: inner });
    expect(refusal(cycle)).toEqual([400, 'invalid_request', 'body.parentSectionGroupId']);
    const renamed = await send('PATCH', `${site}/section-groups/${inner}`, { title: 'In', icon: null });
    expect(renamed.body).toMatchObject({ title: 'In', sectionGroup: outer });
    expect((await send('DELETE', `${site}/section-groups/${outer}`)).status).toBe(205);
    expect(await outline(site)).toEqual([
      ['space-b', 'space-b*'],
      ['In', ['space-a*', 'space-a*']],
    ]);
    const out = `${site}/section-groups/${inner}/sections/${a}`;
    expect([(await send('DELETE', out)).status, (await send('DELETE', out)).status]).toEqual([205, 204]);
    expect(await outline(site)).toEqual([['space-b', 'space-b*'], ['In'], ['space-a*', 'space-a*']]);
    const unknown = await send('POST', `${site}/section-groups`, { title: 'X', sections: [a, 'none'] });
    expect(refusal(unknown)).toEqual([400, 'invalid_request', 'body.sections[1]']);
    expect(refusal(await send('POST', `${site}/section-groups`, { title: 'X', parent: 'none' }))[0]).toBe(400);
  });

  it('are at most five groups deep', async () => {
    const site = await newSite();
    let parent = await group(site, '1');
    for (const title of ['2', '3', '4', '5']) parent = await group(site, title, { parent });
    expect(refusal(await send('POST', `${site}/section-groups`, { title: '6', parent }))[2]).toBe('body.parent');
  });

  it('are sorted, also into other groups and sections', async () => {
    const site = await newSite();
    const [a, b] = [await section(site, 'A'), await section(site, 'B')];
    const outer = await group(site, 'Outer', { sections: [b] });
    const sort = (item: object, position: object) => send('PATCH', `${site}/structure/sort`, { item, position });
    const item = (type: string, id: string) => ({ type: `site-${type}`, id });
    const sorted = await sort(item('section', a), { after: item('section', b) });
    expect(sorted.body).toMatchObject({ object: 'site-section', sectionGroup: outer });
    await sort(item('section', b), { before: item('section-group', outer) });
    expect(await outline(site)).toEqual([
      ['space-b', 'space-b*'],
      ['Outer', ['space-a*', 'space-a*']],
    ]);
    const [first, second] = [await idAt(site, 'site-spaces', 0), await idAt(site, 'site-spaces', 1)];
    await sort(item('space', second), { before: item('space', first) });
    expect(await outline(site)).toEqual([
      ['space-b', 'space-a', 'space-b*'],
      ['Outer', ['space-a*']],
    ]);
    expect(refusal(await sort(item('space', first), { after: item('section', a) }))[1]).toBe('position_invalid');
    expect(refusal(await sort(item('space', first), {}))[1]).toBe('position_invalid');
    expect(refusal(await sort(item('space', 'none'), { after: item('space', first) }))[0]).toBe(404);
    const within = await sort(item('section-group', outer), { after: item('section', a) });
    expect(refusal(within)).toEqual([400, 'invalid_request', 'body.position']);
    const move = await send('POST', `${site}/section-groups/${outer}/move`, {
      position: { before: { type: 'site-section', siteSection: b } },
    });
    expect(move.body['object']).toBe('site-section-group');
    expect(await outline(site)).toEqual([
      ['Outer', ['space-a*']],
      ['space-b', 'space-a', 'space-b*'],
    ]);
  });

  it('are put into another order only if the structure is still the one that was seen', async () => {
    const site = await newSite('A', 'B', 'C');
    const [first, second] = [await idAt(site, 'site-spaces', 0), await idAt(site, 'site-spaces', 1)];
    const tag = async () => (await send('GET', `${site}/structure`)).headers.get('etag') ?? '';
    const sort = (ifMatch: string) =>
      world.rig.send('PATCH', `${site}/structure/sort`, {
        token: world.creator.token,
        headers: { 'if-match': ifMatch },
        body: { item: { type: 'site-space', id: first }, position: { after: { type: 'site-space', id: second } } },
      });
    const seen = await tag();
    await send('PATCH', `${site}/site-spaces/${second}`, { path: 'elsewhere' });
    expect(refusal(await sort(seen)).slice(0, 2)).toEqual([412, 'precondition_failed']);
    expect(await outline(site)).toEqual(['space-a*', 'elsewhere', 'space-c']);
    expect((await sort(await tag())).status).toBe(200);
    expect(await outline(site)).toEqual(['elsewhere', 'space-a*', 'space-c']);
    expect((await sort('"none"')).status).toBe(412);
  });

  it('are shown without the titles of spaces to members who may not view these', async () => {
    const { owner } = world.rig;
    const closed = await world.space('Quillfeather', owner);
    await send('PATCH', `/spaces/${closed}`, { defaultLevel: null }, owner);
    const site = await world.site({ title: 'Docs', spaces: [spaces['A'], closed] });
    const path = `${site}/site-spaces/${await idAt(site, 'site-spaces', 1)}`;
    await send('PATCH', path, { path: 'closed' }, owner);
    expect((await send('GET', path.replace(/\/[^/]*$/, ''), undefined, owner)).body.items[1]).toMatchObject({
      title: 'Quillfeather',
      space: { title: 'Quillfeather' },
    });
    for (const shown of ['structure', 'site-spaces', 'published']) {
      const { status, body } = await send('GET', `${site}/${shown}`, undefined, world.reader);
      expect([shown, status, JSON.stringify(body).includes('Quillfeather')]).toEqual([shown, 200, false]);
      expect(JSON.stringify(body)).toContain(`"space":{"object":"space","id":"${closed}"},"title":""`);
    }
  });
});
