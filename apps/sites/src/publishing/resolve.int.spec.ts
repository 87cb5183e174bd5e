import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, get, type Answer } from '../test/rig.js';
import { refusal } from '../test/site-rig.js';
import { sign, startVisitorRig, type VisitorRig } from '../test/visitor-rig.js';

describe('a published address', () => {
  let world: VisitorRig['world'];
  let visitors: VisitorRig;
  let first: string;
  let second: string;
  let pages: Record<string, string>;
  beforeAll(async () => {
    visitors = await startVisitorRig();
    ({ world, first, second, pages } = visitors);
  }, 60_000);
  afterAll(() => world.rig.stop());

  const send: VisitorRig['send'] = (...sent) => visitors.send(...sent);
  const publish: VisitorRig['publish'] = (...site) => visitors.publish(...site);
  const ask: VisitorRig['ask'] = (...asked) => visitors.ask(...asked);
  const lead: VisitorRig['lead'] = (...asked) => visitors.lead(...asked);
  const claimsOf = (site: string) => visitors.useClaims(site);
  const keyOf = (site: string) => visitors.keyOf(site);
  const status = async (path: string, token: string) => (await send('GET', path, undefined, token)).status;
  const idOf = (path: string) => path.split('/').at(-1);

  it('leads to a space and a page of a site, with a token that opens them', async () => {
    const [site, address] = await publish();
    const found = await lead(`${address}/start`);
    expect(found).toMatchObject({
      organization: world.rig.organization,
      site: idOf(site),
      space: first,
      pathname: '/start',
      basePath: `${new URL(address).pathname}/`,
      siteBasePath: `${new URL(address).pathname}/`,
      complete: true,
    });
    expect(found.contextId).toBeUndefined();
    expect((await ask(`${address}/start`)).headers.get('cache-control')).toBe('private, max-age=60');
    expect(await lead(`${address}/second/`)).toMatchObject({ space: second, pathname: '/' });
    expect(await lead(`${address}/start.md`)).toMatchObject({ pathname: '/start', format: 'markdown' });
    expect(await lead(`${address}/nothing/here`)).toMatchObject({ space: first, pathname: '/nothing/here' });
    const { apiToken } = found;
    expect(await status(`/spaces/${first}/content/path/start`, apiToken)).toBe(200);
    expect(await status(`/spaces/${second}/content`, apiToken)).toBe(200);
    expect(await status(`/spaces/${first}/content/path/nothing/here`, apiToken)).toBe(404);
    expect(await status(`/spaces/${first}/content/page/${pages['paid']}`, apiToken)).toBe(404);
    expect(await status(`${site}/structure`, apiToken)).toBe(200);
    expect(await status(`${site}/published`, apiToken)).toBe(200);
    expect(await status(site, apiToken)).toBe(403);
    expect(await status(world.org, apiToken)).toBe(403);
    const [other] = await publish({}, [second]);
    expect(await status(`${other}/structure`, apiToken)).toBe(404);
  });

  it('is found without a token, by the deprecated GET too, and by the id of the site', async () => {
    const [site, address] = await publish();
    const old = await send('GET', `/urls/published?url=${encodeURIComponent(`${address}/start`)}`, undefined, null);
    expect([old.status, old.body['pathname']]).toEqual([200, '/start']);
    const app = new URL(String(get((await send('GET', site)).body, 'urls.app'))).origin;
    expect(await lead(`${app}/~site/${String(idOf(site))}/start`)).toMatchObject({
      site: idOf(site),
      pathname: '/start',
    });
  });

  it('leads nowhere for an unknown host, site or address, and before the site is published', async () => {
    const [site, address] = await publish();
    const { origin } = new URL(address);
    for (const url of [`${origin}/unknown/`, 'http://unknown.sites.localhost/docs', 'https://example.com/docs', origin])
      expect(refusal(await ask(url)).slice(0, 2)).toEqual([404, 'not_found']);
    expect(refusal(await ask('ftp://example.com/'))).toEqual([400, 'invalid_request', 'body.url']);
    expect(await lead(`${origin}/unknown/`, {}, null, { redirectOnError: true })).toMatchObject({
      target: 'application',
    });
    const led = await ask(`${origin}/unknown/`, {}, null, { redirectOnError: true });
    expect(led.headers.get('cache-control')).toBe('private, max-age=2');
    await send('POST', `${site}/unpublish`);
    expect((await ask(`${address}/start`)).status).toBe(404);
  });

  it('refuses a token within 2 s when the site is unpublished, closed to it, or gets another key', async () => {
    const [site, address] = await publish();
    const read = (token: string) => status(`/spaces/${first}/content/path/start`, token);
    for (const change of [
      () => send('POST', `${site}/publishing/auth/regenerate`),
      () => send('PATCH', site, { visibility: 'unlisted' }),
      () => send('POST', `${site}/unpublish`),
    ]) {
      const { apiToken } = await lead(`${address}/start`);
      await eventually(async () => (await read(apiToken)) === 200);
      expect((await change()).status).toBe(200);
      await eventually(async () => (await read(apiToken)) === 401);
    }
  });

  it('needs the key of an active share link', async () => {
    const [site, address] = await publish({ visibility: 'share-link' });
    expect((await ask(`${address}/start`)).status).toBe(404);
    const link = await send('POST', `${site}/share-links`, { name: 'One' });
    const url = String(get(link.body, 'urls.published'));
    const key = url.split('/').at(-2) ?? '';
    const found = await lead(`${url}start`);
    expect(found).toMatchObject({
      shareKey: key,
      pathname: '/start',
      siteBasePath: `${new URL(address).pathname}/${key}/`,
    });
    expect(found.canonicalUrl).not.toContain(key);
    expect((await ask(`${address}/${'x'.repeat(22)}/start`)).status).toBe(404);
    await send('PATCH', `${site}/share-links/${String(link.body['id'])}`, { active: false });
    expect((await ask(`${url}start`)).status).toBe(404);
    await eventually(async () => (await status(`/spaces/${first}/content`, found.apiToken)) === 401);
  });

  it('lets those in who have a token of the visitor, and sends the others to sign in', async () => {
    const [site, address] = await publish({ visibility: 'visitor-auth' });
    expect(refusal(await ask(address)).slice(0, 2)).toEqual([401, 'visitor_auth_required']);
    await send('PATCH', `${site}/publishing/auth`, { fallbackURL: 'https://login.example/in?a=1' });
    const sent = await lead(`${address}/start?x=1&jwt_token=bad`);
    expect(sent).toMatchObject({ target: 'external', site: idOf(site) });
    const redirect = new URL(String(sent['redirect']));
    expect([redirect.origin, redirect.searchParams.get('a')]).toEqual(['https://login.example', '1']);
    expect(redirect.searchParams.get('location')).toBe(`${new URL(address).pathname}/start?x=1`);
    const key = await keyOf(site);
    expect(key.length).toBeGreaterThanOrEqual(32);
    const token = await sign(key, {});
    expect(await lead(`${address}/start?jwt_token=${token}`)).toMatchObject({ space: first });
    expect(await lead(address, { jwtToken: token })).toMatchObject({ space: first });
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`;
    for (const bad of [
      await sign(key, {}, '-1s'),
      await sign('x'.repeat(40), {}),
      await sign(key + key, {}, '1h', 'HS512'),
      await sign(key, {}, '1h', 'HS384'),
      none,
    ])
      expect(await lead(address, { jwtToken: bad })).toMatchObject({ target: 'external' });
    expect((await send('GET', `/spaces/${first}/content`, undefined, token)).status).toBe(401);
  });

  it('accepts the key before the present one for a day after a rotation, unless it was to end at once', async () => {
    const [site, address] = await publish({ visibility: 'visitor-auth' });
    const old = await sign(await keyOf(site), {});
    const rotated = await send('POST', `${site}/visitor-auth/rotate`);
    expect(rotated.body['previousKeyUntil']).toBeDefined();
    expect(await lead(address, { jwtToken: old })).toMatchObject({ space: first });
    const present = await sign(await keyOf(site), {});
    expect(await lead(address, { jwtToken: present })).toMatchObject({ space: first });
    await send('POST', `${site}/visitor-auth/rotate?now=true`);
    for (const jwtToken of [old, present]) expect((await ask(address, { jwtToken })).status).toBe(401);
  });

  it('shows what the claims of the visitor allow, signed and unsigned', async () => {
    const [site, address] = await publish();
    await claimsOf(site);
    const variant = String((await send('GET', `${site}/site-spaces`)).body.items[1]?.['id']);
    // A claim that nothing of the site uses makes no difference.
    expect(await lead(`${address}?visitor.beta=true`)).not.toHaveProperty('contextId');
    await send('PATCH', `${site}/site-spaces/${variant}`, { condition: 'visitor.claims.unsigned.beta' });
    const key = await keyOf(site);
    const payingToken = await sign(key, { plan: 'paid', other: 'x' });
    const paying = await lead(`${address}/paid`, { jwtToken: payingToken });
    expect(await status(`/spaces/${first}/content/page/${pages['paid']}`, paying.apiToken)).toBe(200);
    const forged = await lead(`${address}/paid?visitor.plan=paid`, { unsignedClaims: { plan: 'paid' } });
    expect(await status(`/spaces/${first}/content/page/${pages['paid']}`, forged.apiToken)).toBe(404);
    const beta = await lead(`${address}/paid?visitor.beta=true`);
    expect(new Set([paying.contextId, beta.contextId, forged.contextId]).size).toBe(3);
    expect((await lead(address, { jwtToken: payingToken })).contextId).toBe(paying.contextId);
    expect(await lead(address, { jwtToken: 'bad' })).not.toHaveProperty('contextId');
    expect(await lead(`${address}/second`)).toMatchObject({ space: first, pathname: '/second' });
    expect(await lead(`${address}/second?visitor.beta=true`)).toMatchObject({ space: second, pathname: '/' });
    const plain = await lead(address);
    const count = async (path: string, token: string) =>
      JSON.stringify((await send('GET', path, undefined, token)).body).split('sitesp_').length;
    for (const path of [`${site}/structure`, `${site}/published`])
      expect(await count(path, plain.apiToken)).toBeLessThan(await count(path, world.rig.owner.token));
    expect(await status(`/spaces/${second}/content`, plain.apiToken)).toBe(404);
  });

  it('shows previews to those who may view the space, and sites as visitors would see them', async () => {
    const [site, address] = await publish();
    const revision = String((await send('GET', `/spaces/${first}/content`)).body['id']);
    const url = `${address}/~/revisions/${revision}/start`;
    for (const token of [null, world.stranger.token]) expect((await ask(url, {}, token)).status).toBe(404);
    const found = await lead(url, {}, world.reader.token);
    expect(found).toMatchObject({ revision, pathname: '/start' });
    expect(await status(`/spaces/${first}/revisions/${revision}/pages`, found.apiToken)).toBe(200);
    expect(await status(`/spaces/${first}/content`, found.apiToken)).toBe(404);
    // The preview ends when whoever asked for it may not view the space any more.
    await send('POST', `/spaces/${first}/permissions`, { role: null, users: [world.reader.id] });
    await eventually(
      async () => (await status(`/spaces/${first}/revisions/${revision}/pages`, found.apiToken)) !== 200,
    );
    await send('DELETE', `/spaces/${first}/permissions/users/${world.reader.id}`);
    expect((await ask(`${address}/~/revisions/none/`, {}, world.reader.token)).status).toBe(404);
    expect((await ask(`${address}/~/changes/7/`, {}, world.reader.token)).status).toBe(404);
    await claimsOf(site);
    await send('POST', `${site}/unpublish`);
    const siteSpace = String((await send('GET', `${site}/site-spaces`)).body.items[0]?.['id']);
    const preview = `${site}/publishing/preview?siteSpace=${siteSpace}`;
    const shown = async (query: string) => lead(String((await send('GET', preview + query)).body['url']));
    const paid = `/spaces/${first}/content/page/${pages['paid']}`;
    const as = await shown(`&claims=${encodeURIComponent('{"plan":"paid"}')}`);
    expect(await status(paid, as.apiToken)).toBe(200);
    expect(await status(paid, (await shown('')).apiToken)).toBe(404);
    // A preview shows nothing that whoever made it may not view.
    await send('PATCH', `/spaces/${second}`, { defaultLevel: null });
    const other = String((await send('GET', `${site}/site-spaces`)).body.items[1]?.['id']);
    const asked = await send('GET', `${site}/publishing/preview?siteSpace=${other}`, undefined, world.reader.token);
    const own = await lead(String(asked.body['url']));
    expect(await status(`/spaces/${first}/content`, own.apiToken)).toBe(200);
    expect(await status(`/spaces/${second}/content`, own.apiToken)).toBe(404);
    await send('PATCH', `/spaces/${second}`, { defaultLevel: 'read' });
    const bad = (path: string) => send('GET', path).then(refusal);
    expect(await bad(`${site}/publishing/preview?siteSpace=none`)).toEqual([400, 'invalid_request', 'query.siteSpace']);
    expect((await bad(`${preview}&claims=x`))[2]).toBe('query.claims');
    expect((await bad(`${preview}&changeRequest=1&revision=2`))[2]).toBe('query.revision');
    const past = await shown(`&revision=${revision}`);
    expect(past).toMatchObject({ revision, pathname: '/' });
    expect(await status(`/spaces/${first}/revisions/${revision}/pages`, past.apiToken)).toBe(200);
    expect(await status(`/spaces/${first}/content`, past.apiToken)).toBe(404);
  });

  it('previews no space that is deleted', async () => {
    const gone = await world.space('Gone');
    const [site] = await publish({}, [first, gone]);
    const siteSpace = String((await send('GET', `${site}/site-spaces`)).body.items[1]?.['id']);
    const preview = async () => refusal(await send('GET', `${site}/publishing/preview?siteSpace=${siteSpace}`));
    expect((await preview())[0]).toBe(200);
    expect((await send('DELETE', `/spaces/${gone}`)).status).toBe(205);
    expect(await preview()).toEqual([404, 'not_found', 'query.siteSpace']);
    expect((await send('POST', `/spaces/${gone}/restore`)).status).toBe(200);
    expect((await preview())[0]).toBe(200);
  });

  it('lets members in by the token of a ping, where the site that the organization shows first asks who they are', async () => {
    const ping = async (token = world.reader.token): Promise<string | undefined> =>
      (await send('POST', `${world.org}/ping`, undefined, token)).body['serviceVisitorClaims'] as string | undefined;
    const show = (id: string | undefined) => send('PATCH', world.org, { defaultContent: { type: 'site', site: id } });
    const [open] = await publish();
    expect((await show(idOf(open))).status).toBe(200);
    expect(await ping()).toBeUndefined();
    const [site, address] = await publish({ visibility: 'visitor-auth' });
    await show(idOf(site));
    const pinged = (await send('POST', `${world.org}/ping`, undefined, world.reader.token)).body;
    expect(pinged['gitbookVisitorClaims']).toBe(pinged['serviceVisitorClaims']);
    const jwtToken = await ping();
    const [, claims = ''] = jwtToken?.split('.') ?? [];
    const { sub, exp, iat, ...more } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    expect([sub, Number(exp) - Number(iat), more]).toEqual([world.reader.id, 3_600, { role: 'read' }]);
    expect(await lead(address, { jwtToken })).toMatchObject({ space: first });
    expect((await ask(address)).status).toBe(401);
    await send('PATCH', site, { visibility: 'public' });
    await eventually(async () => (await ping()) === undefined);
    await send('PATCH', world.org, { defaultContent: null });
  });

  it('redirects former paths of pages to the present ones', async () => {
    const [site, address] = await publish();
    const change = async (one: object) => {
      const answer = await send('POST', `/spaces/${first}/content`, { changes: [one] });
      expect(answer.status).toBe(200);
      return answer.body['refs'] as Record<string, string>;
    };
    const { former } = await change({
      operation: 'insert_page',
      title: 'Former',
      ref: 'former',
      document: { markdown: '' },
    });
    await change({ operation: 'update_page', page: former, slug: 'present' });
    expect(await lead(`${address}/former?a=1`)).toEqual({
      target: 'content',
      redirect: `${address}/present?a=1`,
      site: idOf(site),
    });
    expect(await lead(`${address}/present`)).toMatchObject({ pathname: '/present' });
    const redirect = (source: string, destination: object) =>
      send('POST', `${site}/redirects`, { source, destination });
    await redirect('/old', { kind: 'page', page: former, space: first });
    await redirect('/out', { kind: 'url', url: 'https://example.com/x' });
    await redirect('/paying', { kind: 'page', page: pages['paid'], space: first });
    await redirect('/present', { kind: 'url', url: 'https://example.com/never' });
    expect(await lead(`${address}/old`)).toMatchObject({ target: 'content', redirect: `${address}/present` });
    expect(await lead(`${address}/out`)).toMatchObject({ target: 'external', redirect: 'https://example.com/x' });
    // Where a page is that the visitor is not shown is not told.
    expect(await lead(`${address}/paying`)).toMatchObject({ pathname: '/paying' });
    expect(await lead(`${address}/present`)).toMatchObject({ pathname: '/present' });
  });

  it('has settings and keys that admins alone see, and that go with the site', async () => {
    const [site] = await publish();
    const path = `${site}/publishing/auth`;
    const before = await send('GET', path);
    expect(before.body).toMatchObject({ object: 'publishing-auth', backend: 'custom' });
    const changed = await send('PATCH', path, { logoutURL: 'https://login.example/out', fallbackURL: null });
    expect(changed.body).toMatchObject({
      logoutURL: 'https://login.example/out',
      privateKey: before.body['privateKey'],
    });
    expect((await send('POST', `${path}/regenerate`)).body['privateKey']).not.toBe(before.body['privateKey']);
    for (const [method, at] of [
      ['GET', path],
      ['PATCH', path],
      ['POST', `${path}/regenerate`],
      ['POST', `${site}/visitor-auth/rotate`],
    ] as const) {
      const statusAs = async (token: string | null): Promise<number> =>
        (await send(method, at, method === 'PATCH' ? {} : undefined, token)).status;
      expect([method, at, await statusAs(world.creator.token), await statusAs(world.stranger.token)]).toEqual([
        method,
        at,
        403,
        404,
      ]);
      expect(await statusAs(null)).toBe(401);
    }
    const wrong: Answer = await send('PATCH', path, { fallbackURL: 'javascript:1' });
    expect(refusal(wrong)).toEqual([400, 'invalid_request', 'body.fallbackURL']);
    await send('DELETE', site);
    expect((await send('GET', path)).status).toBe(404);
  });
});
