import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get } from '../test/rig.js';
import { startVisitorRig, type VisitorRig } from '../test/visitor-rig.js';

describe('the links of the look of a site', () => {
  let visitors: VisitorRig;
  let site: string;
  let page: string;
  beforeAll(async () => {
    visitors = await startVisitorRig();
    [site] = await visitors.publish();
    page = String(visitors.pages['start']);
  }, 60_000);
  afterAll(() => visitors.world.rig.stop());

  const send: VisitorRig['send'] = (...sent) => visitors.send(...sent);
  const put = async (body: object): Promise<unknown> => {
    const { status, body: made } = await send('PUT', `${site}/customization`, body);
    return [status, made.error?.details?.map(({ path }) => path)];
  };
  const link = (to: object, links: object[] = []) => ({ title: 'Link', to, links });

  it('lead to pages and spaces of the site, and to what is outside of it', async () => {
    const { first, second } = visitors;
    const to = { kind: 'page', page };
    const body = {
      header: {
        primaryLink: { kind: 'anchor', page, anchor: 'x' },
        links: [link({ ...to, space: first }, [link(to), link({ kind: 'space', space: second })])],
      },
      footer: { groups: [{ title: 'More', links: [link({ kind: 'url', url: 'https://example.com' })] }] },
      announcement: { link: { title: 'News', to } },
    };
    expect(await put(body)).toEqual([200, undefined]);
  });

  it('are refused by their field where they lead to no page or space of the site', async () => {
    const nope = { kind: 'page', page: 'nope' };
    const other = await visitors.world.space('Elsewhere');
    const refused = (...fields: string[]) => [400, fields.map((field) => `body.${field}`)];
    expect(await put({ header: { links: [link(nope, [link({ kind: 'page', page }), link(nope)])] } })).toEqual(
      refused('header.links[0].to.page', 'header.links[0].links[1].to.page'),
    );
    expect(await put({ header: { primaryLink: { ...nope, page, space: visitors.second } } })).toEqual(
      refused('header.primaryLink.page'),
    );
    expect(
      await put({ footer: { groups: [{ title: 'More', links: [link({ kind: 'space', space: other })] }] } }),
    ).toEqual(refused('footer.groups[0].links[0].to.space'));
    expect(await put({ announcement: { link: { title: 'News', to: { ...nope, space: other } } } })).toEqual(
      refused('announcement.link.to.space'),
    );
    const siteSpace = String((await send('GET', `${site}/site-spaces`)).body.items[0]?.['id']);
    const own = await send('PATCH', `${site}/site-spaces/${siteSpace}/customization`, {
      header: { primaryLink: nope },
    });
    expect([own.status, get(own.body, 'error.details.0.path')]).toEqual([400, 'body.header.primaryLink.page']);
  });

  it('may stay when what they led to has gone since', async () => {
    const passing = await visitors.world.space('Passing');
    const [own] = await visitors.publish({}, [visitors.first, passing]);
    const save = async (to: object) =>
      (await send('PUT', `${own}/customization`, { header: { primaryLink: to } })).status;
    const to = { kind: 'space', space: passing };
    expect(await save(to)).toBe(200);
    const { items } = (await send('GET', `${own}/site-spaces`)).body;
    const removed = await send('DELETE', `${own}/site-spaces/${String(items.at(-1)?.['id'])}`);
    expect(removed.status).toBeLessThan(300);
    expect(await save(to)).toBe(200);
    expect(await save({ kind: 'url', url: 'https://example.com' })).toBe(200);
    expect(await save(to)).toBe(400);
  });

  it('stand beside an icon that is one emoji', async () => {
    for (const emoji of ['zzz', '', '31', '🎉🎉'])
      expect(await put({ favicon: { emoji } })).toEqual([400, ['body.favicon.emoji']]);
    for (const emoji of ['1f389', '🎉']) expect(await put({ favicon: { emoji } })).toEqual([200, undefined]);
  });
});
