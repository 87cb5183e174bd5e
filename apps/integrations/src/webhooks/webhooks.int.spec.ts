import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { get } from '@scriptorium/testing';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { comesTrue } from '../test/dispatch-rig.js';
import { createPeople, refusal, type IntegrationRig } from '../test/integration-rig.js';
import { startRig, type Rig } from '../test/own-rig.js';

interface Got {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Changes are sent to a receiver of an organization, which verifies them as Standard Webhooks says. */
describe('webhooks', () => {
  let world: IntegrationRig<Rig>;
  let webhooks: string;
  let address: string;
  const got: Got[] = [];
  let answer: { status: number; body?: string; headers?: Record<string, string> } = { status: 204 };
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      got.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });

  beforeAll(async () => {
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    world = await createPeople(await startRig({ OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1', DISPATCH_MAX_QUEUED: '10' }));
    webhooks = `${world.org}/webhooks`;
  }, 120_000);
  afterEach(() => {
    answer = { status: 204 };
  });
  afterAll(async () => {
    await world.rig.stop();
    receiver.close();
  });

  const create = async (path: string, events: string[], more: object = {}) => {
    const { secret, ...made } = await world.done('POST', webhooks, { url: `${address}${path}`, events, ...more });
    return { made, secret: String(secret), one: `${webhooks}/${String(made['id'])}` };
  };
  const at = (path: string) => got.filter((one) => one.path === path);
  /** What a receiver that has the secret takes; it throws for anything else. */
  const verified = (secret: string, { headers, body }: Got) =>
    new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string; data: object };
  const store = () => world.rig.store.database;
  const retryNow = (one: string) =>
    store()
      .collection('op_deliveries')
      .updateMany({ installation: `webhook-${one.split('/').at(-1)}`, state: 'queued' }, { $set: { nextAt: 0 } });
  const deliveries = async (one: string) => (await world.done('GET', `${one}/deliveries`)).items;

  it('are created with a secret that is shown once, listed, changed, and deleted', async () => {
    const { made, secret, one } = await create('/crud?key=hidden', ['space_added'], { name: 'CI' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made).toMatchObject({ object: 'webhook', name: 'CI', status: 'active', events: ['space_added'] });
    expect(await world.done('GET', one)).toEqual(made);
    expect((await world.done('GET', webhooks)).items).toEqual([made]);
    const changes = { url: `${address}/other`, events: ['site_added'], name: null, status: 'disabled' };
    const { name: _, ...others } = made;
    expect(await world.done('PATCH', one, changes)).toEqual({
      ...others,
      ...{ url: changes.url, events: changes.events, status: 'disabled', disabledReason: 'admin' },
      disabledAt: expect.stringMatching(/Z$/),
    });
    expect(await world.done('PATCH', one, { status: 'active' })).not.toHaveProperty('disabledAt');
    await comesTrue(async () => expect(await store().collection('op_webhooks').countDocuments()).toBe(1));
    const entries = (await world.done('GET', `${world.org}/audit-events?target=${String(made['id'])}`)).items;
    expect(entries.map(({ action }) => action)).toContain('webhook_address_changed');
    expect(JSON.stringify(entries)).not.toContain('hidden');
    const remove = async () => (await world.send('DELETE', one)).status;
    expect([await remove(), await remove()]).toEqual([205, 204]);
    expect((await world.send('GET', one)).status).toBe(404);
    await comesTrue(async () => expect(await store().collection('op_webhooks').countDocuments()).toBe(0));
  }, 60_000);

  it('refuse addresses that lead inside, have no https, or name no event, naming the field', async () => {
    const refused = async (body: object) => refusal(await world.send('POST', webhooks, body));
    const events = ['space_added'];
    const url = [400, 'invalid_request', 'body.url'];
    for (const one of ['http://10.0.0.1/', 'https://10.0.0.1/', 'http://receiver.example/', 'ftp://a.example/', 'x'])
      expect(await refused({ url: one, events })).toEqual(url);
    expect(await refused({ url: 'https://receiver.example/', events: [] })).toEqual([
      400,
      'invalid_request',
      'body.events',
    ]);
    const unknown = { url: 'https://receiver.example/', events: ['task'] };
    expect((await refused(unknown)).slice(0, 2)).toEqual([400, 'invalid_request']);
    const body = { url: 'https://receiver.example/', events };
    expect((await world.send('POST', webhooks, body, world.creator)).status).toBe(403);
    const { one } = await create('/refused', events);
    expect(refusal(await world.send('PATCH', one, { url: 'http://receiver.example/' }))).toEqual(url);
    expect(await store().collection('op_webhooks').countDocuments()).toBe(1);
    await world.done('DELETE', one);
  }, 60_000);

  it('are sent what they wish, signed, with the ids of what has happened', async () => {
    const { secret, one } = await create('/told', ['space_added', 'space_removed', 'space_content_updated']);
    const space = await world.space('Told');
    await world.site('Not told');
    await comesTrue(() => expect(at('/told').length).toBeGreaterThanOrEqual(1));
    await world.done('DELETE', `/spaces/${space}`);
    const types = () => at('/told').map((each) => verified(secret, each).type);
    await comesTrue(() => expect(types()).toContain('space_removed'));
    expect(types()).not.toContain('site_added');
    const [first] = at('/told').filter((each) => verified(secret, each).type === 'space_added');
    if (first === undefined) throw new Error('nothing was sent');
    expect(verified(secret, first)).toEqual({
      type: 'space_added',
      timestamp: expect.stringMatching(/Z$/),
      data: { organizationId: world.rig.organization, spaceId: space },
    });
    expect(() => verified(secret, { ...first, body: first.body.replace('added', 'removed') })).toThrow('signature');
    await comesTrue(async () => {
      const all = await deliveries(one);
      expect(all.every(({ status }) => status === 'success')).toBe(true);
      // What the space begins with is part of its addition.
      expect(all.map(({ type }) => type)).toEqual(['space_removed', 'space_added']);
      expect(all.map(({ id }) => id)).toContain(first.headers['webhook-id']);
      expect(get(all[0], 'attempts')).toMatchObject([{ status: 204 }]);
    });
    await world.done('DELETE', one);
  }, 60_000);

  it('are tried again with the same id, and later ones do not wait', async () => {
    answer = { status: 500, body: 'x'.repeat(5_000) };
    const { secret, one } = await create('/again', ['space_added']);
    await world.space('Fails first');
    await comesTrue(() => expect(at('/again')).toHaveLength(1));
    await comesTrue(async () =>
      expect(await deliveries(one)).toMatchObject([{ reason: 'status_500', status: 'queued' }]),
    );
    answer = { status: 302, headers: { location: `${address}/elsewhere` } };
    await retryNow(one);
    await comesTrue(async () => expect(await deliveries(one)).toMatchObject([{ reason: 'status_302' }]));
    answer = { status: 200 };
    await world.space('Does not wait');
    await comesTrue(() => expect(at('/again')).toHaveLength(3));
    await retryNow(one);
    await comesTrue(() => expect(at('/again')).toHaveLength(4));
    const ids = at('/again').map((each) => (verified(secret, each), each.headers['webhook-id']));
    expect([ids[1], ids[3], ids[2] === ids[0]]).toEqual([ids[0], ids[0], false]);
    expect(at('/elsewhere')).toEqual([]);
    await comesTrue(async () => {
      const [, earlier] = await deliveries(one);
      const attempts = get(earlier, 'attempts') as { status: number; answer: string }[];
      expect(attempts.map(({ status }) => status)).toEqual([500, 302, 200]);
      expect(attempts[0]?.answer).toBe('x'.repeat(1024));
    });
    const page = await world.done('GET', `${one}/deliveries?limit=1`);
    expect([page.items.length, page.count]).toEqual([1, 2]);
    await world.done('DELETE', one);
    const left = { installation: `webhook-${one.split('/').at(-1)}` };
    await comesTrue(async () => expect(await store().collection('op_deliveries').countDocuments(left)).toBe(0));
    await comesTrue(async () => expect(await store().collection('op_traces').countDocuments(left)).toBe(0));
  }, 60_000);

  it('can be tested, and are signed with both secrets after a rotation', async () => {
    const { secret, one } = await create('/test', ['site_removed'], { name: 'Tested' });
    const { secret: next, secretRotatedAt } = await world.done('POST', `${one}/rotate`);
    expect([next === secret, secretRotatedAt]).toEqual([false, expect.stringMatching(/Z$/)]);
    answer = { status: 200, body: 'thanks' };
    const tested = await world.done('POST', `${one}/test`);
    expect(tested).toMatchObject({ succeeded: true, status: 200, answer: 'thanks' });
    const [sent] = at('/test');
    if (sent === undefined) throw new Error('nothing was sent');
    expect([verified(secret, sent).type, verified(String(next), sent).type]).toEqual(['test', 'test']);
    expect(await deliveries(one)).toMatchObject([{ id: tested['id'], type: 'test', status: 'success' }]);
    answer = { status: 404 };
    expect(await world.done('POST', `${one}/test`)).toMatchObject({ succeeded: false, status: 404 });
    await world.done('DELETE', one);
  }, 60_000);

  /** Nothing arrives for 5 days, as it were. `one`: a webhook for which something waits that has failed. */
  const passFiveDays = async (one: string) => {
    const queue = `webhook-${one.split('/').at(-1)}`;
    await store()
      .collection<{ _id: string }>('op_dispatch')
      .updateOne({ _id: queue }, { $set: { since: 0 } });
    await store()
      .collection('op_deliveries')
      .updateMany({ installation: queue }, { $set: { attempts: 6 } });
    await retryNow(one);
    await comesTrue(async () =>
      expect(await world.done('GET', one)).toMatchObject({ status: 'disabled', disabledReason: 'failures' }),
    );
  };

  it('are disabled when nothing has arrived for 5 days, and are enabled again', async () => {
    const { one } = await create('/gone', ['space_added']);
    answer = { status: 410 };
    await world.space('Never arrives');
    await comesTrue(async () =>
      expect(await deliveries(one)).toMatchObject([{ status: 'queued', reason: 'status_410' }]),
    );
    await passFiveDays(one);
    const count = at('/gone').length;
    await world.space('Not told');
    answer = { status: 200 };
    const id = String((await deliveries(one))[0]?.['id']);
    const again = (delivery: string) => world.send('POST', `${one}/deliveries/${delivery}/redeliver`);
    expect((await again(id)).body.error).toMatchObject({
      reason: 'conflict',
      message: expect.stringMatching('disabled'),
    });
    await world.done('PATCH', one, { status: 'active' });
    await world.space('Told again');
    await comesTrue(async () =>
      expect((await deliveries(one)).map(({ status }) => status)).toEqual(['success', 'failed']),
    );
    expect(at('/gone')).toHaveLength(count + 1);
    expect(refusal(await again('unknown')).slice(0, 2)).toEqual([404, 'not_found']);
    const sent = await again(id);
    expect([sent.status, sent.body]).toMatchObject([202, { id, status: 'queued', attempts: [{ status: 410 }, {}] }]);
    await comesTrue(() => expect(at('/gone')).toHaveLength(count + 2));
    expect(at('/gone').at(-1)?.headers['webhook-id']).toBe(id);
    await comesTrue(async () => expect((await deliveries(one))[1]).toMatchObject({ id, status: 'success' }));
    const keyed = { token: world.rig.owner.token, headers: { 'idempotency-key': 'once' } };
    const repeated = () => world.rig.send('POST', `${one}/deliveries/${id}/redeliver`, keyed);
    expect((await repeated()).status).toBe(202);
    await comesTrue(async () => expect((await deliveries(one))[1]).toMatchObject({ id, status: 'success' }));
    const { headers } = await repeated();
    expect(headers.get('idempotency-replayed')).toBe('true');
    expect((await deliveries(one))[1]).toMatchObject({ id, status: 'success' });
    expect(at('/gone')).toHaveLength(count + 3);
    await world.done('DELETE', one);
  }, 60_000);

  it('lose nothing in 5 days without their receiver: a replay brings everything, under the ids that it has', async () => {
    const from = new Date().toISOString();
    const { secret, one } = await create('/away', ['space_added', 'space_removed']);
    const replay = (body: object = { from }) => world.send('POST', `${one}/replay`, body);
    const state = async () => (await world.done('GET', `${one}/replay`))['status'];
    const titles = ['Arrives', 'Fails', 'Not sent', 'Nor this'];
    const spaces = [await world.space(titles[0] ?? '')];
    await comesTrue(() => expect(at('/away')).toHaveLength(1));
    answer = { status: 500 };
    spaces.push(await world.space(titles[1] ?? ''));
    await comesTrue(async () => expect((await deliveries(one))[0]).toMatchObject({ reason: 'status_500' }));
    await passFiveDays(one);
    for (const title of titles.slice(2)) spaces.push(await world.space(title));
    await world.done('DELETE', `/spaces/${spaces[3]}`);
    expect(refusal(await replay()).slice(0, 2)).toEqual([409, 'conflict']);
    answer = { status: 204 };
    await world.done('PATCH', one, { status: 'active' });
    const before = await deliveries(one);
    const first = await replay();
    expect([first.status, first.body]).toMatchObject([
      202,
      { object: 'delivery-replay', types: ['space_added', 'space_removed'] },
    ]);
    await comesTrue(async () => expect(await state()).toBe('done'));
    const sent = () =>
      at('/away').flatMap((each) => {
        const message = verified(secret, each) as { type: string; data: { spaceId: string }; delivery?: object };
        const { type, data, delivery } = message;
        return delivery === undefined ? [] : [{ id: each.headers['webhook-id'], what: [type, data.spaceId], delivery }];
      });
    const all = [...spaces.map((space) => ['space_added', space]), ['space_removed', spaces[3]]];
    await comesTrue(() => expect(sent().map(({ what }) => what)).toEqual(all));
    expect(
      sent()
        .slice(0, 2)
        .map(({ id }) => id),
    ).toEqual(before.map(({ id }) => id).reverse());
    expect(new Set(sent().map(({ id }) => id)).size).toBe(5);
    expect(sent().every(({ delivery }) => (delivery as { replay: string }).replay === first.body['id'])).toBe(true);
    await comesTrue(async () => {
      const after = await deliveries(one);
      const states = after.map(({ status, replay: by }) => [status, by]);
      expect(states).toEqual(after.map(() => ['success', first.body['id']]));
    });
    // Half of what may wait does.
    answer = { status: 500 };
    const [second, other] = await Promise.all([replay(), replay({ from, types: ['space_added'] })]);
    expect([second.status, other.status].sort()).toEqual([202, 409]);
    await comesTrue(async () =>
      expect((await deliveries(one)).filter(({ status }) => status === 'queued').length).toBeGreaterThan(3),
    );
    expect([(await world.send('DELETE', `${one}/replay`)).status, (await replay()).status]).toEqual([205, 409]);
    await comesTrue(async () => expect(await state()).toBe('cancelled'));
    expect((await world.send('DELETE', `${one}/replay`)).status).toBe(204);
    const present = await world.rig.send('GET', `${one}/replay`, { token: world.rig.owner.token });
    const held = {
      token: world.rig.owner.token,
      headers: { 'if-match': String(present.headers.get('etag')) },
      body: { from },
    };
    expect((await world.rig.send('POST', `${one}/replay`, held)).status).toBe(202);
    expect((await world.rig.send('POST', `${one}/replay`, held)).status).toBe(412);
    const refused = async (body: object) => refusal(await replay(body)).slice(1);
    expect(await refused({ from: '2020-01-01T00:00:00Z' })).toEqual(['invalid_request', 'body.from']);
    expect(await refused({ from: '2999-01-01T00:00:00Z' })).toEqual(['invalid_request', 'body.from']);
    expect(await refused({ from, to: from })).toEqual(['invalid_request', 'body.to']);
    expect(await refused({ from, types: ['site_added'] })).toEqual(['invalid_request', 'body.types']);
    await world.done('DELETE', one);
    expect((await world.send('GET', `${one}/replay`)).status).toBe(404);
    await comesTrue(async () => expect(await store().collection('op_replays').countDocuments()).toBe(0));
  }, 60_000);

  it('are shown with their host to operators, who see what could not be delivered in all organizations, and deliver events again', async () => {
    answer = { status: 500 };
    const { made, one } = await create('/failed?key=hidden', ['space_added']);
    const space = await world.space('Fails');
    await comesTrue(async () => expect(await deliveries(one)).toMatchObject([{ reason: 'status_500' }]));
    const name = await world.publish({ visibility: 'public' });
    const { id: other } = await world.done('POST', '/orgs', { title: 'Other' });
    const { id: installation } = await world.done('POST', `/integrations/${name}/installations`, {
      organization: other,
    });
    const all = store().collection<{ _id: string; event?: string }>('op_deliveries');
    await comesTrue(async () => expect(await all.countDocuments({ installation })).toBe(1));
    await all.updateMany({ 'target.id': space }, { $set: { state: 'failed', attempts: 7 } });
    await all.updateMany({ installation }, { $set: { state: 'failed', reason: 'status_404', attempts: 1 } });
    const ofScript = await all.findOne({ installation });
    // A call, whose failure somebody has seen, and what was sent to a webhook that is gone.
    await all.insertMany([
      { ...ofScript, ...{ _id: 'call:c', event: 'c', type: 'fetch', position: 0 } },
      {
        ...(await all.findOne({ 'target.id': space })),
        ...{ _id: 'o', event: 'o', installation: 'webhook-x', position: 1 },
      },
    ]);
    const path = '/operator/integrations/failed-deliveries';
    const listed = async (query = '') => world.done('GET', `${path}${query}`);
    const { items, count } = await listed();
    const webhook = { id: made['id'], host: new URL(address).host };
    const common = { object: 'failed-delivery', createdAt: expect.stringMatching(/Z$/) };
    const shown = { ...common, organization: world.rig.organization, type: 'space_added', attempts: 7 };
    expect(items).toEqual([
      {
        ...{ ...common, id: ofScript?.event, organization: other, integration: name, installation },
        ...{ type: 'installation_setup', attempts: 1, reason: 'status_404' },
      },
      { ...shown, id: (await deliveries(one))[0]?.['id'], webhook, reason: 'status_500' },
      { ...shown, id: 'o', webhook: { id: 'x' }, reason: 'status_500' },
    ]);
    expect([count, JSON.stringify(items).includes('hidden')]).toEqual([3, false]);
    const first = await listed('?limit=2');
    const next = String(get(first, 'next.page'));
    expect(first.items).toEqual(items.slice(0, 2));
    expect((await listed(`?limit=2&page=${next}`)).items).toEqual(items.slice(2));
    expect((await listed(`?organization=${String(other)}`)).items).toEqual(items.slice(0, 1));
    expect((await listed(`?integration=${name}`)).items).toEqual(items.slice(0, 1));
    expect((await listed(`?integration=${name}&organization=${world.rig.organization}`)).items).toEqual([]);
    const refused = async (query: string, person = world.rig.owner) =>
      refusal(await world.send('GET', `${path}${query}`, undefined, person));
    expect(await refused('?integration=unknown')).toEqual([400, 'invalid_request', 'query.integration']);
    expect(await refused('?organization=a%20b')).toEqual([400, 'invalid_request', 'query.organization']);
    expect(await refused(`?page=${next}&integration=${name}`)).toEqual([400, 'invalid_request', 'query.page']);
    expect((await refused('', world.creator)).slice(0, 2)).toEqual([403, 'forbidden']);
    const operator = { email: world.rig.email('Op'), displayName: 'Op', emailVerified: true, operator: true };
    const { id: user } = await world.done('POST', '/users', operator);
    const { token } = await world.done('POST', `/users/${String(user)}/tokens`, { label: 'x' });
    const again = `/integrations/${name}/events/${String(items[0]?.['id'])}/redeliver`;
    expect((await world.rig.send('POST', again, { token: String(token) })).status).toBe(202);
    expect((await listed()).items).toEqual(items.slice(1));
    await all.deleteMany({ _id: { $in: ['call:c', 'o'] } });
    await world.done('DELETE', `/orgs/${String(other)}`);
    await world.done('DELETE', one);
  }, 60_000);

  it('end with their organization, of which nothing is left', async () => {
    const id = String((await world.done('POST', '/orgs', { title: 'Doomed' }))['id']);
    await world.done('POST', `/orgs/${id}/webhooks`, { url: `${address}/doomed`, events: ['space_added'] });
    await world.done('POST', `/orgs/${id}/spaces`, { title: 'Doomed', empty: true });
    await comesTrue(() => expect(at('/doomed')).toHaveLength(1));
    await world.done('DELETE', `/orgs/${id}`);
    const count = async (name: string, filter: object) => store().collection(name).countDocuments(filter);
    await comesTrue(async () =>
      expect([
        await count('webhook_v1', { organization: id }),
        await count('op_webhooks', {}),
        await count('op_deliveries', { organization: id }),
      ]).toEqual([0, 0, 0]),
    );
  }, 60_000);
});
