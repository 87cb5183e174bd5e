import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analysed } from '../test/analysed.js';
import { refusal, said, startConversationRig, type ConversationRig } from '../test/conversation-rig.js';
import { get } from '../test/rig.js';

const day = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * day).toISOString();
const created = (days: number) => ({ metadata: { createdAt: ago(days) } });

let world: ConversationRig;
let conversations: string;
let clusters: string;
beforeAll(async () => {
  world = await startConversationRig();
  conversations = `${world.org}/conversations`;
  clusters = `${world.org}/conversations-clusters`;
  await world.ingest([
    said('card-1', 'My bank card has not arrived', created(40)),
    said('card-2', 'The bank card did not arrive yet', created(3)),
    said('card-3', 'When does my bank card arrive?', created(2)),
    said('export-1', 'The PDF export fails', created(50)),
    said('export-2', 'PDF export of pages fails', created(45)),
    said('thanks', 'Thank you!', created(1)),
  ]);
  await analysed(world);
}, 90_000);
afterAll(() => world.rig.stop());

const clusterOf = async (externalId: string): Promise<string> => {
  const { items } = await world.done(
    'GET',
    `${world.org}/conversations-issues?conversation=${await world.idOf(externalId)}`,
  );
  return String(get(items[0], 'issue.cluster'));
};
const named = async (query: string): Promise<unknown[]> =>
  (await world.done('GET', `${conversations}?${query}`)).items.map(({ externalId }) => externalId);
const refused = async (path: string) => refusal(await world.send('GET', path));

describe('conversations', () => {
  it('are those of a cluster, page by page', async () => {
    const cluster = await clusterOf('card-1');
    expect(await named(`cluster=${cluster}`)).toEqual(['card-3', 'card-2', 'card-1']);
    const first = await world.done('GET', `${conversations}?cluster=${cluster}&limit=2`);
    expect(first['count']).toBe(3);
    // What comes meanwhile is not shown twice, and nothing is left out.
    await world.ingest(said('card-4', 'The bank card never arrived'));
    await analysed(world);
    const next = `cluster=${cluster}&limit=2&page=${String(get(first, 'next.page'))}`;
    expect(await named(next)).toEqual(['card-1']);
    expect(await refused(`${conversations}?limit=2&page=${String(get(first, 'next.page'))}`)).toEqual([
      400,
      'invalid_request',
      'query.page',
    ]);
  });

  it('are filtered by several conditions', async () => {
    const cluster = await clusterOf('card-1');
    expect(await named(`cluster=${cluster}&to=${ago(10)}`)).toEqual(['card-1']);
    expect(await named(`cluster=${cluster}&from=${ago(10)}&to=${ago(2.5)}`)).toEqual(['card-2']);
    expect(await named(`cluster=${cluster}&externalId=export-1`)).toEqual([]);
    expect(await named(`cluster=${cluster}&processed=false`)).toEqual([]);
    expect(await named(`processed=true&externalId=thanks`)).toEqual(['thanks']);
    expect(await named('cluster=none')).toEqual([]);
  });

  it('are those of the living cluster when it was merged', async () => {
    await world.ingest([said('m-1', 'Password reset link expired'), said('m-2', 'Cannot sign in with Google')]);
    await analysed(world);
    const [from, into] = [await clusterOf('m-1'), await clusterOf('m-2')];
    await world.done('PATCH', `${clusters}/${from}`, { mergeInto: into });
    expect((await named(`cluster=${from}`)).sort()).toEqual(['m-1', 'm-2']);
  });

  it.each([
    ['from=yesterday', 'query.from'],
    ['to=2026-13-01T00:00:00Z', 'query.to'],
    [`from=${ago(1)}&to=${ago(2)}`, 'query.to'],
    ['processed=perhaps', 'query.processed'],
    ['externalId=', 'query.externalId'],
    ['cluster=x%20y', 'query.cluster'],
  ])('with %s are refused', async (query, field) => {
    expect(await refused(`${conversations}?${query}`)).toEqual([400, 'invalid_request', field]);
  });
});

describe('clusters', () => {
  const listed = async (query: string) => (await world.done('GET', `${clusters}?${query}`)).items;

  it('are found by words of their label and summary', async () => {
    const cluster = await clusterOf('export-1');
    await world.done('PATCH', `${clusters}/${cluster}`, { label: 'Exports (PDF)', summary: 'Pages as Überblick' });
    for (const search of ['exports (', 'PDF', 'überblick'])
      expect((await listed(`search=${encodeURIComponent(search)}`)).map(({ id }) => id)).toEqual([cluster]);
    expect(await listed('search=nothing%20of%20it')).toEqual([]);
  });

  it('are counted since a moment', async () => {
    const [card, exports] = [await clusterOf('card-1'), await clusterOf('export-1')];
    const recent = await listed(`since=${ago(10)}&orderBy=issues`);
    expect(recent[0]).toMatchObject({ id: card, stats: { issues: 3, conversations: 3 }, sources: { api: 3 } });
    expect(recent.map(({ id }) => id)).not.toContain(exports);
    const all = await listed(`since=${ago(60)}&orderBy=issues&minIssues=2`);
    expect(all[0]).toMatchObject({ id: card, stats: { issues: 4, conversations: 4 } });
    expect(all.map(({ id }) => id)).toContain(exports);
    expect(await listed(`since=${ago(10)}&source=email`)).toEqual([]);
    expect((await listed(`since=${ago(60)}&search=exports`)).map(({ id }) => id)).toEqual([exports]);
    expect(await listed('since=2999-01-01T00:00:00Z')).toEqual([]);
  });

  it.each(['issues', 'conversations', 'updatedAt'])('since a moment go on page by page, by %s', async (orderBy) => {
    for (const order of ['asc', 'desc']) {
      const query = `since=${ago(60)}&orderBy=${orderBy}&order=${order}`;
      const all = (await listed(query)).map(({ id }) => id);
      const seen: unknown[] = [];
      for (let page = ''; ;) {
        const some = await world.done('GET', `${clusters}?${query}&limit=1${page}`);
        expect(some['count']).toBe(all.length);
        seen.push(...some.items.map(({ id }) => id));
        const next = get(some, 'next.page');
        if (typeof next !== 'string') break;
        page = `&page=${next}`;
      }
      expect(seen).toEqual(all);
    }
  });

  it.each([
    ['since=30d', 'query.since'],
    ['search=', 'query.search'],
    [`search=${'x'.repeat(101)}`, 'query.search'],
    ['source=a.b', 'query.source'],
    ['minIssues=0', 'query.minIssues'],
  ])('with %s are refused', async (query, field) => {
    expect(await refused(`${clusters}?${query}`)).toEqual([400, 'invalid_request', field]);
  });
});
