import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { eventually, type Person } from '../test/rig.js';
import { sign, startVisitorRig, type VisitorRig } from '../test/visitor-rig.js';

/** Ms within which what ends access has to be known at the gateway. What is cached there is good for 30 s. */
const soonMs = 2_000;

describe('tokens of visitors whose access has ended', () => {
  let visitors: VisitorRig;
  let first: string;
  beforeAll(async () => {
    visitors = await startVisitorRig();
    ({ first } = visitors);
  }, 60_000);
  afterAll(() => visitors.world.rig.stop());

  const send: VisitorRig['send'] = (...sent) => visitors.send(...sent);
  const read = async (path: string, token: string) => (await send('GET', path, undefined, token)).status;
  const previewOf = async (site: string, person: Person, query = ''): Promise<string> => {
    const siteSpace = String((await send('GET', `${site}/site-spaces`)).body.items[0]?.['id']);
    const path = `${site}/publishing/preview?siteSpace=${siteSpace}${query}`;
    const { body } = await send('GET', path, undefined, person.token);
    return (await visitors.lead(String(body['url']))).apiToken;
  };
  const endsSoon = async (path: string, token: string): Promise<void> => {
    const from = performance.now();
    await eventually(async () => [401, 404].includes(await read(path, token)));
    expect(performance.now() - from).toBeLessThan(soonMs);
  };

  it('read nothing more of a preview whose maker was removed', async () => {
    const [site] = await visitors.publish({}, [first]);
    const revision = String((await send('GET', `/spaces/${first}/content`)).body['id']);
    const maker = await visitors.world.rig.member('Ma Ker', 'read');
    const plain = await previewOf(site, maker);
    const past = await previewOf(site, maker, `&revision=${revision}`);
    const paths = [`/spaces/${first}/content`, `${site}/published`];
    for (const path of paths) expect(await read(path, plain)).toBe(200);
    expect(await read(`/spaces/${first}/revisions/${revision}/pages`, past)).toBe(200);
    expect((await send('DELETE', `${visitors.world.org}/members/${maker.id}`)).status).toBe(205);
    for (const path of paths) await endsSoon(path, plain);
    await endsSoon(`/spaces/${first}/revisions/${revision}/pages`, past);
    expect(await read(`${site}/published`, plain)).toBe(401);
  });

  it('read nothing more of a preview whose maker was disabled, whose address opens nothing then', async () => {
    const [site] = await visitors.publish({}, [first]);
    const maker = await visitors.world.rig.member('Dis Abled', 'read');
    const siteSpace = String((await send('GET', `${site}/site-spaces`)).body.items[0]?.['id']);
    const preview = `${site}/publishing/preview?siteSpace=${siteSpace}`;
    const url = String((await send('GET', preview, undefined, maker.token)).body['url']);
    const { apiToken } = await visitors.lead(url);
    const paths = [`/spaces/${first}/content`, `${site}/published`];
    for (const path of paths) expect(await read(path, apiToken)).toBe(200);
    const disabled = await send('PATCH', `${visitors.world.org}/members/${maker.id}`, { disabled: true });
    expect(disabled.status).toBe(200);
    for (const path of paths) await endsSoon(path, apiToken);
    expect((await visitors.ask(url)).status).toBe(404);
  });

  it('read nothing more of a space on which the grant of the maker was taken, by themselves or by a team', async () => {
    const space = await visitors.world.space('Granted');
    await send('PATCH', `/spaces/${space}`, { defaultLevel: null });
    const [site] = await visitors.publish({}, [space]);
    const one = await visitors.world.rig.member('On E', 'read');
    await send('POST', `/spaces/${space}/permissions`, { role: 'read', users: [one.id] });
    const own = await previewOf(site, one);
    expect(await read(`/spaces/${space}/content`, own)).toBe(200);
    await send('DELETE', `/spaces/${space}/permissions/users/${one.id}`);
    await endsSoon(`/spaces/${space}/content`, own);
    const teamed = await visitors.world.rig.member('Tea Med', 'read');
    const { body } = await send('PUT', `${visitors.world.org}/teams`, { title: 'Viewers' });
    const team = `${visitors.world.org}/teams/${String(body['id'])}`;
    await send('PUT', `${team}/members`, { memberships: { [teamed.email]: { role: 'member' } } });
    await send('POST', `/spaces/${space}/permissions`, { role: 'read', teams: [String(body['id'])] });
    await eventually(async () => (await read(`/spaces/${space}`, teamed.token)) === 200);
    const theirs = await previewOf(site, teamed);
    expect(await read(`/spaces/${space}/content`, theirs)).toBe(200);
    await send('DELETE', `${team}/members/${teamed.id}`);
    await endsSoon(`/spaces/${space}/content`, theirs);
  });

  it('read nothing more of a space that was deleted, and read it again when it is restored', async () => {
    const space = await visitors.world.space('Comes back');
    const [site, address] = await visitors.publish({}, [first, space]);
    const { apiToken } = await visitors.lead(address);
    const path = `/spaces/${space}/content`;
    expect(await read(path, apiToken)).toBe(200);
    await send('DELETE', `/spaces/${space}`);
    await endsSoon(path, apiToken);
    expect((await send('POST', `/spaces/${space}/restore`)).status).toBeLessThan(300);
    const from = performance.now();
    await eventually(async () => (await read(path, apiToken)) === 200);
    expect(performance.now() - from).toBeLessThan(soonMs);
    const shown = JSON.stringify((await send('GET', `${site}/published`, undefined, apiToken)).body);
    expect(shown).toContain(space);
  });

  it('end when adaptive content gets another schema or is switched off: claims are others then', async () => {
    const [site, address] = await visitors.publish({}, [first]);
    await visitors.useClaims(site);
    const path = `/spaces/${first}/content`;
    const { apiToken } = await visitors.lead(address);
    expect(await read(path, apiToken)).toBe(200);
    const jsonSchema = { type: 'object', properties: { other: { type: 'string' } }, additionalProperties: false };
    expect((await send('PUT', `${site}/adaptive-schema`, { jsonSchema })).status).toBe(200);
    await endsSoon(path, apiToken);
    const { apiToken: later } = await visitors.lead(address);
    expect(await read(path, later)).toBe(200);
    expect((await send('PATCH', `${site}`, { adaptiveContent: { enabled: false } })).status).toBe(200);
    await endsSoon(path, later);
  });

  it('read nothing more of a site that was closed to the maker', async () => {
    const [site] = await visitors.publish({}, [first]);
    const maker = await visitors.world.rig.member('Clo Sed', 'read');
    const token = await previewOf(site, maker);
    expect(await read(`${site}/published`, token)).toBe(200);
    await send('POST', `${site}/permissions`, { role: null, users: [maker.id] });
    await endsSoon(`${site}/published`, token);
  });

  it('are refused when they have ended', async () => {
    const [site, address] = await visitors.publish({ visibility: 'visitor-auth' }, [first]);
    const key = await visitors.keyOf(site);
    // A content token ends with that of the visitor.
    const { apiToken } = await visitors.lead(address, { jwtToken: await sign(key, {}, '3s') });
    expect(await read(`/spaces/${first}/content`, apiToken)).toBe(200);
    await eventually(async () => (await read(`/spaces/${first}/content`, apiToken)) === 401);
    expect(await read(`${site}/published`, apiToken)).toBe(401);
  });

  it('say when they end, within a day, in seconds that a date can hold', async () => {
    const [site, address] = await visitors.publish({ visibility: 'visitor-auth' }, [first]);
    const key = new TextEncoder().encode(await visitors.keyOf(site));
    const now = Math.floor(Date.now() / 1_000);
    const status = async (claims: object) =>
      (
        await visitors.ask(address, {
          jwtToken: await new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(key),
        })
      ).status;
    expect(await status({ exp: now + 86_000 })).toBe(200);
    for (const claims of [{}, { exp: now + 86_500 }, { exp: 9e15 }, { exp: now + 60, iat: -9e15 }])
      expect([claims, await status(claims)]).toEqual([claims, 401]);
  });

  it('have one spelling', async () => {
    const [, address] = await visitors.publish({}, [first]);
    const { apiToken } = await visitors.lead(address);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = letters.indexOf(apiToken.at(-1) ?? '');
    // The last two of the six bits say nothing of the signature.
    const others = [1, 2, 3].map((bits) => `${apiToken.slice(0, -1)}${letters[last ^ bits] ?? ''}`);
    for (const other of others) expect(await read(`/spaces/${first}/content`, other)).toBe(401);
    expect(await read(`/spaces/${first}/content`, apiToken)).toBe(200);
  });
});
