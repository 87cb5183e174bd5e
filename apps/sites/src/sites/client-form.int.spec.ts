import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get, type Answer } from '../test/rig.js';
import { refusal } from '../test/site-rig.js';
import { startVisitorRig, type VisitorRig } from '../test/visitor-rig.js';

describe('what existing clients send to sites and expect of them', () => {
  let visitors: VisitorRig;
  let first: string;
  let second: string;
  beforeAll(async () => {
    visitors = await startVisitorRig();
    ({ first, second } = visitors);
  }, 60_000);
  afterAll(() => visitors.world.rig.stop());

  const send: VisitorRig['send'] = (...sent) => visitors.send(...sent);

  it('has the address of what was created in each 201', async () => {
    const { world } = visitors;
    const { org } = world;
    const [site, other] = [await world.site({ spaces: [first] }), await world.site({ spaces: [second] })];
    const made = async (path: string, body: object | undefined, kind: string): Promise<string> => {
      const answer = await send('POST', path, body);
      const id = String(answer.body['id']);
      expect([path, answer.status]).toEqual([path, 201]);
      expect(answer.headers.get('location')).toMatch(new RegExp(`/v1${kind}/${id}$`));
      return id;
    };
    await made(`${org}/sites`, {}, `${org}/sites`);
    await made(`${site}/share-links`, { name: 'One' }, `${site}/share-links`);
    const redirect = { source: '/a', destination: { kind: 'external', url: 'https://a.example' } };
    await made(`${site}/redirects`, redirect, `${site}/redirects`);
    const added = await made(`${site}/site-spaces`, { spaceId: await world.space('More') }, `${site}/site-spaces`);
    await made(`${site}/site-spaces/${added}/duplicate`, undefined, `${site}/site-spaces`);
    const section = await made(`${other}/sections`, { spaceId: await world.space('Section') }, `${other}/sections`);
    const group = await made(`${other}/section-groups`, { title: 'Group' }, `${other}/section-groups`);
    await made(`${other}/section-groups/${group}/sections`, { sectionId: section }, `${other}/section-groups`);
  });

  it('moves groups beside what is named by its id', async () => {
    const { world } = visitors;
    const site = await world.site({ spaces: [first] });
    const section = await send('POST', `${site}/sections`, { spaceId: await world.space('Beside') });
    const group = await send('POST', `${site}/section-groups`, { title: 'Group', sections: [] });
    const before = { type: 'site-section', id: String(section.body['id']) };
    const moved = await send('POST', `${site}/section-groups/${String(group.body['id'])}/move`, {
      position: { before },
    });
    expect([moved.status, moved.body['object']]).toEqual([200, 'site-section-group']);
  });

  it('finds redirects by what is in their source, in either case', async () => {
    const { world } = visitors;
    const site = await world.site({ spaces: [first] });
    for (const source of ['/Old/page', '/new/page', '/a.b'])
      await send('POST', `${site}/redirects`, { source, destination: { kind: 'external', url: 'https://a.example' } });
    const sources = async (search: string): Promise<unknown[]> =>
      (await send('GET', `${site}/redirects?search=${encodeURIComponent(search)}`)).body.items.map(
        (one) => one['source'],
      );
    expect(await sources('old')).toEqual(['/Old/page']);
    expect(await sources('PAGE')).toHaveLength(2);
    expect(await sources('a.b')).toEqual(['/a.b']);
    expect(await sources('axb')).toEqual([]);
  });

  it('takes the scope of a search and the question for all settings as older clients write them', async () => {
    const { world } = visitors;
    const site = await world.site({ spaces: [first] });
    const siteSpace = String(get((await send('GET', `${site}/site-spaces`)).body, 'items.0.id'));
    const search = async (more: object): Promise<unknown[]> =>
      refusal(await send('POST', `${site}/search`, { query: 'page', ...more }));
    for (const more of [
      { mode: 'all' },
      { mode: 'current', siteSpaceId: siteSpace },
      { mode: 'specific', siteSpaceIds: [siteSpace] },
      { siteSpaceIds: [siteSpace] },
    ])
      expect((await search(more))[0]).toBe(200);
    expect(await search({ mode: 'specific' })).toEqual([400, 'invalid_request', 'body.siteSpaceIds']);
    const [whole, plain] = [
      await send('GET', `${site}/customization?unmasked=true`),
      await send('GET', `${site}/customization`),
    ];
    expect([whole.status, whole.headers.get('scriptorium-ignored')]).toEqual([200, null]);
    expect(whole.body).toEqual(plain.body);
  });

  it('has titles of 2 to 128 characters, and a space on a site once', async () => {
    const { org } = visitors.world;
    const create = async (body: object): Promise<unknown[]> => refusal(await send('POST', `${org}/sites`, body));
    for (const title of ['x', 'x'.repeat(129)])
      expect(await create({ title })).toEqual([400, 'invalid_request', 'body.title']);
    for (const title of ['xy', 'x'.repeat(128)]) expect((await create({ title }))[0]).toBe(201);
    expect(await create({ spaces: [first, second, first] })).toEqual([409, 'already_exists', 'body.spaces[2]']);
    const url = `https://a.example/${'x'.repeat(4_096)}`;
    expect(refusal(await visitors.ask(url))).toEqual([400, 'invalid_request', 'body.url']);
    // What proves who a visitor is does not count.
    const token = 'x'.repeat(2_000);
    expect((await visitors.ask(`https://a.example/docs?jwt_token=${token}`)).status).toBe(404);
  });

  it('has a message of an announcement, and titles of links that fit in a line', async () => {
    const site = await visitors.world.site({ spaces: [first] });
    const path = `${site}/customization`;
    const put = (body: object): Promise<Answer> => send('PUT', path, body);
    expect((await put({})).body['announcement']).toEqual({
      enabled: false,
      message: 'Announcement',
      style: 'info',
    });
    const announced = await put({ announcement: { enabled: true, message: 'x'.repeat(128) } });
    expect(announced.body['announcement']).toEqual({ enabled: true, message: 'x'.repeat(128), style: 'info' });
    for (const message of ['', 'x', 'x'.repeat(129)])
      expect(refusal(await put({ announcement: { message } }))).toEqual([
        400,
        'invalid_request',
        'body.announcement.message',
      ]);
    const to = { kind: 'url', url: 'https://a.example' };
    const links = (length: number) => ({ header: { links: [{ title: 'x'.repeat(length), to }] } });
    expect((await put(links(64))).status).toBe(200);
    expect(refusal(await put(links(65)))[2]).toBe('body.header.links[0].title');
  });

  it('tells what a site can do, and who gives a member their level', async () => {
    const { rig, reader } = visitors.world;
    const site = await visitors.world.site({ spaces: [first] });
    const features = get((await send('GET', site)).body, 'features') as { id: string; customizations: string[] }[];
    const ids = features.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['sites-seo', 'sites-visitor-authentication', 'sites-redirects']));
    const advanced = features.find(({ id }) => id === 'sites-advanced-customization');
    expect(advanced?.customizations).toEqual(expect.arrayContaining(['header-logo', 'footer-links']));
    await send('POST', `${site}/permissions`, { role: 'create', users: [reader.id] });
    const { items } = (await send('GET', `${site}/permissions/aggregate`)).body;
    const originOf = (id: string) => items.find((one) => get(one, 'user.id') === id)?.['origin'];
    const { organization } = rig;
    expect(originOf(reader.id)).toEqual({ type: 'site', organization, site: site.split('/').at(-1) });
    expect(originOf(rig.owner.id)).toEqual({ type: 'organization', organization });
  });

  it('does not say to visitors that they have access', async () => {
    const [site, address] = await visitors.publish({}, [first]);
    const { apiToken } = await visitors.lead(address);
    const permissions = async (token?: string) =>
      get((await send('GET', `${site}/published`, undefined, token)).body, 'site.permissions.access');
    expect([await permissions(apiToken), await permissions()]).toEqual([false, true]);
  });

  it('sends visitors to no address with a user name', async () => {
    const site = await visitors.world.site({ spaces: [first] });
    for (const field of ['fallbackURL', 'logoutURL'])
      for (const url of ['https://user:pw@login.example/', 'https://user@login.example', 'https://@login.example'])
        expect([url, ...refusal(await send('PATCH', `${site}/publishing/auth`, { [field]: url }))]).toEqual([
          url,
          400,
          'invalid_request',
          `body.${field}`,
        ]);
  });
});
