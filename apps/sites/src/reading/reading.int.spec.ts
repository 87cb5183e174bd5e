import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withStore, type RigWithStore } from '@scriptorium/testing/store';
import { eventually } from '../test/rig.js';
import { refusal } from '../test/site-rig.js';
import { sign, startVisitorRig, type VisitorRig } from '../test/visitor-rig.js';

describe('a site that visitors read', () => {
  let world: VisitorRig['world'];
  let visitors: VisitorRig;
  let rig: RigWithStore;
  let first: string;
  let pages: Record<string, string>;
  beforeAll(async () => {
    // Timers of other specs would be counted.
    visitors = await startVisitorRig({ alone: true });
    rig = withStore(visitors.world.rig, 'sites');
    ({ world, first, pages } = visitors);
  }, 60_000);
  afterAll(() => rig.stop());

  const send: VisitorRig['send'] = (...sent) => visitors.send(...sent);
  const publish: VisitorRig['publish'] = (...site) => visitors.publish(...site);
  const lead: VisitorRig['lead'] = (...asked) => visitors.lead(...asked);
  const claimsOf = (site: string) => visitors.useClaims(site);
  const keyOf = (site: string) => visitors.keyOf(site);

  it('searches for visitors what they are shown, and for members what they may view', async () => {
    const [site, address] = await publish();
    await claimsOf(site);
    const search = async (query: string, token: string, scope: object = { mode: 'all' }) => {
      const answer = await send('POST', `${site}/search`, { query, scope }, token);
      expect(answer.status).toBe(200);
      return answer.body.items.map((one) => [
        one['id'],
        (one['pages'] as { title: string }[]).map(({ title }) => title),
      ]);
    };
    const { apiToken } = await lead(address);
    const paying = await lead(address, { jwtToken: await sign(await keyOf(site), { plan: 'paid' }) });
    expect(await search('worldword', apiToken)).toEqual([[first, ['Start']]]);
    expect(await search('payingword', apiToken)).toEqual([]);
    expect(await search('payingword', paying.apiToken)).toEqual([[first, ['Paid']]]);
    expect(await search('payingword', world.rig.owner.token)).toEqual([[first, ['Paid']]]);
    expect(await search('worldword', apiToken, { mode: 'specific', siteSpaceIds: ['none'] })).toEqual([]);
    expect(await search('worldword', apiToken, { mode: 'default' })).toEqual([[first, ['Start']]]);
    const refused = (token: string) => send('POST', `${site}/search`, { query: 'a' }, token);
    expect((await refused(world.stranger.token)).status).toBe(404);
    expect(refusal(await send('POST', `${site}/search`, { query: '' }))).toEqual([
      400,
      'invalid_request',
      'body.query',
    ]);
  });

  it('gives visitors a PDF of what they are shown, as long as it offers one', async () => {
    const [site, address] = await publish();
    await claimsOf(site);
    const free = await lead(address);
    const paying = await lead(address, { jwtToken: await sign(await keyOf(site), { plan: 'paid' }) });
    const pdf = (token: string, query = '') => send('GET', `${site}/published/pdf${query}`, undefined, token);
    const [shownFree, shownPaid] = [await pdf(free.apiToken), await pdf(paying.apiToken)];
    expect([shownFree.status, shownPaid.status]).toEqual([200, 200]);
    const [open, closed] = [shownFree, shownPaid].map(({ body }) => String(body['url']).split('?')[0]);
    expect(open).not.toBe(closed);
    const bytes = Buffer.from(await (await fetch(String(shownFree.body['url']))).arrayBuffer());
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await pdf(free.apiToken, '?space=none')).status).toBe(404);
    expect((await pdf(world.rig.owner.token)).status).toBe(403);
    const look = (await send('GET', `${site}/customization`)).body;
    const { status } = await send('PUT', `${site}/customization`, { ...look, pdf: { enabled: false } });
    expect(status).toBeLessThan(300);
    await eventually(async () => (await pdf(free.apiToken)).status === 404);
  });

  it('has texts for programs, with what a visitor is shown', async () => {
    const [site, address] = await publish();
    await claimsOf(site);
    const text = async (name: string, token: string) =>
      JSON.stringify((await send('GET', `${site}/published/${name}`, undefined, token)).body);
    const { apiToken } = await lead(address);
    const paying = await lead(address, { jwtToken: await sign(await keyOf(site), { plan: 'paid' }) });
    for (const name of ['llms.txt', 'sitemap.xml']) {
      expect(await text(name, apiToken)).toMatch(/\/start/);
      expect(await text(name, apiToken)).not.toMatch(/\/paid/);
      expect(await text(name, paying.apiToken)).toMatch(/\/paid/);
    }
    expect(await text('robots.txt', apiToken)).toMatch(/Allow.*sitemap\.xml/);
    await send('PATCH', site, { visibility: 'unlisted' });
    expect(await text('robots.txt', world.rig.owner.token)).toMatch(/Disallow: \//);
  });

  it('counts views, ratings and searches by day and by page, and nothing that a visitor is not shown', async () => {
    const [site, address] = await publish();
    const { apiToken } = await lead(address);
    const { start, paid } = pages;
    const track = (events: object[], token: string | null = apiToken) =>
      send('POST', `${site}/insights/events`, { events }, token);
    const view = (page: string | undefined, space = first) => ({ type: 'page_view', space, page });
    const counted = await track([
      view(start),
      view(start),
      view(paid),
      view(start, 'elsewhere'),
      { type: 'page_feedback', space: first, page: start, rating: 'good' },
      { type: 'page_feedback', space: first, page: start, rating: 'bad' },
    ]);
    expect(counted.status).toBe(204);
    await send('POST', `${site}/search`, { query: 'worldword' }, apiToken);
    const today = new Date().toISOString().slice(0, 10);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const list = async (metric: string, by = 'day') => {
      const query = `metric=${metric}&by=${by}&from=${yesterday}&to=${today}`;
      return (await send('GET', `${site}/insights?${query}`)).body.items;
    };
    const sum = (items: Awaited<ReturnType<typeof list>>) =>
      items.reduce((total, one) => total + Number(one['count']), 0);
    expect(sum(await list('views'))).toBe(2);
    expect(await list('views', 'page')).toEqual([{ page: start, space: first, count: 2 }]);
    expect(await list('feedback', 'page')).toEqual([{ page: start, space: first, count: 2, positive: 1, negative: 1 }]);
    expect(sum(await list('searches'))).toBe(1);
    expect((await track([], world.rig.owner.token)).status).toBe(403);
    expect(refusal(await track([]))).toEqual([400, 'invalid_request', 'body.events']);
    const wrong = await send('GET', `${site}/insights?metric=views&from=${today}&to=2020-01-01`);
    expect(refusal(wrong)).toEqual([400, 'invalid_request', 'query.to']);
  });

  it('count the events of existing renderers, and skip kinds that are not known', async () => {
    const [site, address] = await publish();
    const { apiToken } = await lead(address);
    const { start, paid } = pages;
    const session = { visitorId: 'v', sessionId: 's', cookies: {}, userAgent: 'a', language: null, referrer: null };
    const at = (page: string | undefined, space: string | null = first) => ({
      session,
      location: { url: address, siteSection: null, siteSpace: null, siteShareKey: null, space, revision: null, page },
    });
    const track = (...events: object[]) => send('POST', `${site}/insights/events`, { events }, apiToken);
    const known = await track(
      { type: 'page_view', ...at(start) },
      { type: 'page_view', ...at(paid) },
      { type: 'page_view', ...at(start, null) },
      { type: 'page_post_feedback', ...at(start), feedback: { rating: 'good' } },
      { type: 'search_open', ...at(start) },
      { type: 'search_type_query', ...at(start), query: 'x' },
      {
        type: 'link_click',
        ...at(start),
        link: { target: { kind: 'url', url: 'https://a.example' }, position: 'content' },
      },
    );
    expect(known.status).toBe(204);
    const more = await track(
      { type: 'page_view', ...at(start) },
      { type: 'ad_display', ...at(start), ad: {} },
      { type: 'of another time', anything: [1] },
    );
    expect([more.status, more.body]).toEqual([200, { counted: 1, skipped: 2 }]);
    const today = new Date().toISOString().slice(0, 10);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const list = async (metric: string) =>
      (await send('GET', `${site}/insights?metric=${metric}&by=page&from=${yesterday}&to=${today}`)).body.items;
    expect(await list('views')).toEqual([{ page: start, space: first, count: 2 }]);
    expect(await list('feedback')).toEqual([{ page: start, space: first, count: 1, positive: 1, negative: 0 }]);
    // A search is counted where it is answered.
    expect(await list('searches')).toEqual([]);
    const bad = { type: 'page_post_feedback', ...at(start), feedback: { rating: 'x' } };
    expect(refusal(await track(bad))).toEqual([400, 'invalid_request', 'body.events[0].feedback.rating']);
  });

  it('removes counts that are older than 400 days', async () => {
    const [site, address] = await publish();
    const { apiToken } = await lead(address);
    const { database } = rig.store;
    const insights = database.collection<{ _id: string }>('op_insights');
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const old = (ago: number) => ({
      _id: `old:${ago}`,
      site: 'other',
      metric: 'views',
      day: day(ago),
      page: null,
      space: null,
      count: 1,
    });
    await insights.insertMany([old(399), old(402)]);
    const events = [{ type: 'page_view', space: first, page: pages['start'] }];
    expect((await send('POST', `${site}/insights/events`, { events }, apiToken)).status).toBe(204);
    const timers = database.collection('op_timers');
    const sweeps = { command: 'sweep_insights' };
    expect(await timers.countDocuments(sweeps)).toBe(2);
    await timers.updateMany(sweeps, { $set: { due: 0 } });
    const left = async () => (await insights.find({ site: 'other' }).toArray()).length;
    await eventually(async () => (await left()) === 1);
    expect(await insights.findOne({ _id: 'old:399' })).not.toBeNull();
  });
});
