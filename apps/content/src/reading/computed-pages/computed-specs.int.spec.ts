import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { changeContentOf, page } from '../../test/pages.js';
import { eventually, get, startRig, type Rig } from '../../test/rig.js';
import { makeSpace } from '../../test/spaces.js';
import { specificationWith } from '../../test/specifications.js';
import { putSpec } from '../../test/specs.js';

jest.setTimeout(120_000);

interface Shown {
  id: string;
  title: string;
  path: string;
  computedSeed?: string;
  pages: Shown[];
}

const shop = (summary: string, more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  tags: [{ name: 'orders', 'x-displayName': 'Orders' }],
  paths: { '/orders': { get: { tags: ['orders'], summary, responses: { 200: { description: 'All' } } }, ...more } },
});
const internal = { post: { 'x-internal': true, tags: ['secret'], summary: 'Sesame', responses: {} } };
const from = (spec: string, props: object = {}) => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
});

describe('pages that are computed from a specification of the organization', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  }, 60_000);
  afterAll(() => rig.stop());

  const computedSpace = (...sources: object[]) =>
    makeSpace(rig).then(async (space) => {
      const changes = sources.map((computed) => ({ operation: 'insert_computed', title: 'API', computed }));
      await changeContentOf(rig, space, [page('Guide'), ...changes]);
      return space;
    });
  const read = async (space: string) => {
    const answer = await rig.send('GET', `/spaces/${space}/content/pages`);
    expect(answer.status).toBe(200);
    const [, ...sources] = get(answer.body, 'pages') as Shown[];
    return { sources, etag: answer.headers.get('etag') };
  };
  const titlesIn = async (space: string) =>
    (await read(space)).sources.map(({ pages }) => pages.map(({ title }) => title));
  const linksIn = async (space: string) =>
    (
      get((await rig.send('GET', `/spaces/${space}/links`)).body, 'items') as { status: string; relation: string }[]
    ).map(({ status, relation }) => [status, relation]);

  it('come with it, change with it within two seconds, and go with it, while the content stays as it is', async () => {
    const space = await computedSpace(from('Coming'));
    const before = await read(space);
    expect(before.sources[0]?.pages).toEqual([]);
    expect(await linksIn(space)).toEqual([['broken', 'dependsOn']]);

    await putSpec(rig, 'coming', shop('List orders', internal));
    const first = await read(space);
    expect(first.etag).not.toBe(before.etag);
    expect(await titlesIn(space)).toEqual([['Orders']]);
    expect(await linksIn(space)).toEqual([['ok', 'dependsOn']]);
    const { id = '' } = first.sources[0]?.pages[0] ?? {};
    const markdown = () =>
      rig
        .send('GET', `/spaces/${space}/content/page/${id}?format=markdown`)
        .then(({ body }) => String(body['markdown']));
    expect(await markdown()).toContain('# List orders');

    await putSpec(rig, 'coming', shop('Show purchases', { put: { tags: ['more'], summary: 'Buy', responses: {} } }));
    const changed = Date.now();
    await eventually(async () => (await titlesIn(space))[0]?.length === 2);
    expect(Date.now() - changed).toBeLessThan(2_000);
    expect(await markdown()).toContain('# Show purchases');
    const second = await read(space);
    expect(second.etag).not.toBe(first.etag);
    expect(second.sources[0]?.computedSeed).not.toBe(first.sources[0]?.computedSeed);
    expect(second.sources[0]?.pages[0]?.id).toBe(id);

    await rig.send('DELETE', `/orgs/${rig.organization}/openapi/coming`);
    await eventually(async () => (await titlesIn(space))[0]?.length === 0);
    expect((await read(space)).etag).not.toBe(second.etag);
    await putSpec(rig, 'COMING', shop('List orders'));
    expect(await titlesIn(space)).toEqual([['Orders']]);
    expect((await read(space)).sources[0]?.pages[0]?.id).toBe(id);
  });

  it('are named by slug in any case and by id; those of another organization are missing', async () => {
    await putSpec(rig, 'Named', shop('List orders'));
    const { id } = (await rig.send('GET', `/orgs/${rig.organization}/openapi/named`)).body;
    const other = String((await rig.send('POST', '/orgs', { body: { title: 'Other' } })).body['id']);
    await putSpec(rig, 'theirs', shop('List orders'), other);
    const theirs = (await rig.send('GET', `/orgs/${other}/openapi/theirs`)).body;
    const space = await computedSpace(from('nAMED'), from(String(id)), from('theirs'), from(String(theirs['id'])));
    expect(await titlesIn(space)).toEqual([['Orders'], ['Orders'], [], []]);
  });

  it('can be one for each operation, and lead to the whole of one that is public', async () => {
    await putSpec(rig, 'grouped', shop('List orders'));
    const space = await computedSpace(from('grouped', { grouping: 'operation', downloadLink: true }));
    const [orders] = (await read(space)).sources[0]?.pages ?? [];
    expect(orders?.pages.map(({ title, path }) => [title, path])).toEqual([['List orders', 'api/orders/list-orders']]);
    const operation = `/spaces/${space}/content/page/${orders?.pages[0]?.id ?? ''}`;
    expect((await rig.send('GET', `${operation}?format=markdown`)).body['markdown']).toContain('headless="true"');
    const loads = async () =>
      JSON.stringify((await rig.send('GET', `/spaces/${space}/content/page/${orders?.id ?? ''}`)).body).includes(
        'content-ref',
      );
    expect(await loads()).toBe(false);
    await rig.send('PATCH', `/orgs/${rig.organization}/openapi/grouped`, { body: { visibility: 'public' } });
    await eventually(loads);
    const whole = await rig.send(
      'GET',
      `/spaces/${space}/content/page/${orders?.id ?? ''}?format=markdown&dereferenced=true`,
    );
    expect(whole.body['markdown']).toMatch(
      new RegExp(`^\\[grouped\\.json\\]\\(http[^)]*/openapi/${rig.organization}/grouped\\.json\\)$`, 'm'),
    );
    const answer = await rig.send('POST', `/spaces/${space}/content/computed/revision`, {
      body: { source: from('grouped', { grouping: 'operation' }) },
    });
    expect(get(answer.body, 'pages.0.pages.0.title')).toBe('List orders');
    const part = { ...from('grouped'), props: { doc: 'operation', method: 'get', path: '/orders' } };
    const document = await rig.send('POST', `/spaces/${space}/content/computed/document`, { body: { source: part } });
    expect([document.status, document.body.error?.reason]).toEqual([200, undefined]);
  });

  it('are there for a large one, each tag with pages of a hundred operations', async () => {
    await putSpec(rig, 'large', specificationWith({ operations: 1_200, tags: 8 }));
    const space = await computedSpace(from('large', { models: true }));
    const [titles] = await titlesIn(space);
    expect(titles).toHaveLength(17);
    expect(titles?.slice(0, 2)).toEqual(['t0', 't0 (2)']);
    expect(titles?.at(-1)).toBe('Models');
  });

  it('are there when its schemas are described at length', async () => {
    const description = 'A property that is described at length. '.repeat(6);
    const many = (count: number, value: object) =>
      Object.fromEntries(Array.from({ length: count }, (_, number) => [`Thing${number}`, value]));
    const schemas = many(700, { properties: many(30, { type: 'string', description }) });
    await putSpec(rig, 'wordy', { ...shop('List orders'), components: { schemas } });
    const space = await computedSpace(from('wordy', { models: true }));
    expect(await titlesIn(space)).toEqual([['Orders', 'Models']]);
  });

  it('are refused where the source is not what it may be', async () => {
    const space = await makeSpace(rig);
    const refused = async (computed: object) => {
      const body = { changes: [{ operation: 'insert_computed', title: 'API', computed }] };
      const answer = await rig.send('POST', `/spaces/${space}/content`, { body });
      return [answer.status, answer.body.error.details?.[0]?.path];
    };
    expect(await refused(from('shop', { grouping: 'path' }))).toEqual([400, 'body.changes[0].computed.props.grouping']);
    expect(await refused(from(''))).toEqual([400, 'body.changes[0].computed.dependencies.spec.ref.spec']);
  });
});
