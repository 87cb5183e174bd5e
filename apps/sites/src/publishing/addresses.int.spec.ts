import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get, type Answer } from '../test/rig.js';
import { refusal, startSiteRig, type SiteRig } from '../test/site-rig.js';

const origin = 'https://sites.example.net';

describe('the addresses of sites that are published by their ids', () => {
  let world: SiteRig;
  let guides: string;
  let reference: string;
  beforeAll(async () => {
    world = await startSiteRig({ SITES_ORIGIN: `${origin}/` });
    [guides, reference] = [await world.space('Guides'), await world.space('Reference')];
    const page = (title: string, more: object = {}) => ({
      operation: 'insert_page',
      title,
      document: { markdown: '' },
      ...more,
    });
    for (const space of [guides, reference]) await done('PATCH', `/spaces/${space}`, { editMode: 'live' });
    const group = { operation: 'insert_group', title: 'Docs', ref: 'docs' };
    const changes = [page('Home'), group, page('Install', { into: 'docs' }), page('Install'), page('Terms')];
    await done('POST', `/spaces/${guides}/content`, { changes });
    await done('POST', `/spaces/${reference}/content`, { changes: [page('Terms')] });
  }, 60_000);
  afterAll(() => world.rig.stop());

  const done = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await world.rig.send(method, path, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const published = ({ body }: Answer): string => String(get(body, 'urls.published'));
  const lead = async (url: string): Promise<unknown[]> => {
    const { status, body } = await world.rig.send('POST', '/urls/published', { token: null, body: { url } });
    return [status, body['space'], body['pathname'], body['canonicalUrl']];
  };

  it('are those at which the reader shows them, with sections, spaces and share links', async () => {
    const site = await world.site({ title: 'Docs', spaces: [guides, reference] });
    const address = `${origin}/~site/${site.split('/').at(-1)}/`;
    expect(published(await done('POST', `${site}/publish`))).toBe(address);
    const spaces = (await done('GET', `${site}/site-spaces`)).body.items;
    expect(spaces.map(({ urls }) => urls)).toEqual([{ published: address }, { published: `${address}reference/` }]);
    expect(await lead(`${address}reference/terms`)).toEqual([200, reference, '/terms', `${address}reference/terms`]);
    expect((await lead(address.replace('sites.example.net', 'other.example.net')))[0]).toBe(404);
    expect(published(await done('GET', `/spaces/${reference}`))).toBe(`${address}reference/`);
    const secret = await world.site({ title: 'Secret', spaces: [guides], visibility: 'share-link' });
    await done('POST', `${secret}/publish`);
    const link = published(await done('POST', `${secret}/share-links`, { name: 'One' }));
    expect(link).toMatch(new RegExp(`^${origin}/~site/${secret.split('/').at(-1)}/\\w{22}/$`));
    expect((await lead(`${link}terms`)).slice(0, 3)).toEqual([200, guides, '/terms']);
    expect(get((await done('PATCH', site, { proxy: 'example.com/docs' })).body, 'proxy.target')).toBe(
      address.slice(0, -1),
    );
  });

  it('lead to a page of the default section, when that page and a section have the same path', async () => {
    const site = await world.site({ title: 'Docs', spaces: [guides] });
    await done('POST', `${site}/publish`);
    await done('POST', `${site}/sections`, { title: 'Terms', spaceId: reference });
    const address = `${origin}/~site/${site.split('/').at(-1)}/`;
    const expected: Record<string, string[]> = {
      // The default section is named as the group of pages is.
      'docs/install': [guides, '/docs/install', 'docs/install'],
      install: [guides, '/install', 'install'],
      'docs/home': [guides, '/home', 'home'],
      docs: [guides, '/docs', 'docs'],
      'docs/none': [guides, '/none', 'none'],
      // Another section comes before a page that is named as it is.
      terms: [reference, '/', 'terms'],
      'terms/terms': [reference, '/terms', 'terms/terms'],
    };
    for (const paths of [Object.keys(expected), Object.keys(expected).reverse()])
      for (const path of paths) {
        const [space, pathname, canonical] = expected[path] ?? [];
        expect([path, ...(await lead(address + path))]).toEqual([
          path,
          200,
          space,
          pathname,
          `${address}${canonical ?? ''}`,
        ]);
      }
  });

  it('have at most 4,096 characters, as the document says', async () => {
    const site = await world.site({ title: 'Docs', spaces: [guides] });
    await done('POST', `${site}/publish`);
    const address = `${origin}/~site/${site.split('/').at(-1)}/`;
    const long = (length: number): string => `${address}home?x=`.padEnd(length, 'x');
    for (const length of [2_049, 3_000, 4_096])
      expect((await lead(long(length))).slice(0, 3)).toEqual([200, guides, '/home']);
    expect((await lead(`${address}${'y'.repeat(3_000)}`))[0]).toBe(200);
    const refused = await world.rig.send('POST', '/urls/published', { token: null, body: { url: long(4_097) } });
    expect(refusal(refused)).toEqual([400, 'invalid_request', 'body.url']);
  });
});
