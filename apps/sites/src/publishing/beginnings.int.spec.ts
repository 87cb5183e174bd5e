import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startVisitorRig, type VisitorRig } from '../test/visitor-rig.js';

describe('an address whose beginnings are tried one after the other', () => {
  let visitors: VisitorRig;
  beforeAll(async () => {
    visitors = await startVisitorRig();
  }, 60_000);
  afterAll(() => visitors.world.rig.stop());

  const send: VisitorRig['send'] = (...sent) => visitors.send(...sent);
  /**
   * What a client finds that asks for the beginnings, and takes the first one that is complete, otherwise the last one.
   */
  const begin = async (url: string): Promise<{ asked: number; space: unknown; path: string }> => {
    const { origin, pathname } = new URL(url);
    const parts = pathname.split('/').filter((part) => part !== '');
    for (let asked = 1; asked <= parts.length; asked += 1) {
      const { status, body } = await visitors.ask(`${origin}/${parts.slice(0, asked).join('/')}`);
      if (status !== 200 || (body['complete'] !== true && asked < parts.length)) continue;
      const path = [String(body['pathname']), ...parts.slice(asked)].join('/').replaceAll(/\/+/g, '/');
      return { asked, space: body['space'], path };
    }
    throw new Error(`No beginning of ${url} leads to anything`);
  };
  const complete = async (url: string): Promise<unknown> => (await visitors.lead(url))['complete'];

  it('is complete once it names all of the section and the space that it could', async () => {
    const { first, second, world } = visitors;
    const [site, address] = await visitors.publish({}, [first]);
    const third = await world.space('Third');
    expect(await complete(address)).toBe(true);
    await send('POST', `${site}/sections`, { title: 'Reference', spaceId: second });
    await send('POST', `${site}/sections`, { title: 'Single', spaceId: third });
    expect(await complete(address)).toBe(false);
    expect(await complete(`${address}/start`)).toBe(true);
    expect(await complete(`${address}/reference`)).toBe(true);
    const reference = (await send('GET', `${site}/sections`)).body.items[1]?.['id'];
    const fourth = await world.space('Fourth');
    await send('POST', `${site}/site-spaces`, { spaceId: fourth, sectionId: reference });
    expect(await complete(`${address}/reference`)).toBe(false);
    expect(await complete(`${address}/reference/fourth`)).toBe(true);
    expect(await complete(`${address}/reference/page`)).toBe(true);
    expect(await complete(`${address}/single`)).toBe(true);
    const deep = `${address}/reference/fourth/a/b`;
    expect(await begin(deep)).toEqual({ asked: 3, space: fourth, path: '/a/b' });
    expect(await begin(`${address}/start/below`)).toEqual({ asked: 2, space: first, path: '/start/below' });
  });

  it('is not complete where a hidden space, or one for other visitors, could be named', async () => {
    const { first, second } = visitors;
    const [site, address] = await visitors.publish({}, [first, second]);
    await visitors.useClaims(site);
    const [one, other] = (await send('GET', `${site}/site-spaces`)).body.items.map(({ id }) => String(id));
    await send('PATCH', `${site}/site-spaces/${other ?? ''}`, { hidden: true });
    expect(await complete(address)).toBe(false);
    await send('PATCH', `${site}/site-spaces/${other ?? ''}`, { hidden: false });
    await send('PATCH', `${site}/site-spaces/${one ?? ''}`, { condition: 'visitor.claims.unsigned.beta' });
    // The second space is all that this visitor sees; its address names it all the same.
    expect(await begin(`${address}/second/page`)).toEqual({ asked: 2, space: second, path: '/page' });
  });

  it('is not complete where a longer path names another site', async () => {
    const { first, second } = visitors;
    const [[outer], [inner]] = [await visitors.publish({}, [first]), await visitors.publish({}, [second])];
    await send('PATCH', outer, { proxy: 'example.org/docs' });
    expect(await complete('https://example.org/docs')).toBe(true);
    await send('PATCH', inner, { proxy: 'example.org/docs/api' });
    expect(await begin('https://example.org/docs/api/page')).toEqual({ asked: 2, space: second, path: '/page' });
    expect(await complete('https://example.org/docs')).toBe(false);
    expect(await complete('https://example.org/docs/start')).toBe(true);
  });

  it('begins with the key of a share link', async () => {
    const { first } = visitors;
    const [site, address] = await visitors.publish({ visibility: 'share-link' }, [first]);
    const { body } = await send('POST', `${site}/share-links`, { name: 'One' });
    const [key] = String((body['urls'] as { published: string }).published)
      .split('/')
      .slice(-2);
    expect((await visitors.ask(address)).status).toBe(404);
    expect(await begin(`${address}/${key ?? ''}/start`)).toEqual({ asked: 2, space: first, path: '/start' });
  });

  it('is complete in a preview of the only space', async () => {
    const { first } = visitors;
    const [site] = await visitors.publish({}, [first]);
    const siteSpace = String((await send('GET', `${site}/site-spaces`)).body.items[0]?.['id']);
    const { url } = (await send('GET', `${site}/publishing/preview?siteSpace=${siteSpace}`)).body as { url?: string };
    expect(await visitors.lead(String(url))).toMatchObject({ space: first, pathname: '/', complete: true });
  });
});
