import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { followOperation, listOrganizationChanges, streamOfAction, type Change } from '@scriptorium/contracts';
import { createGateway, type Gateway } from '@scriptorium/gateway';
import { gatewayDefaults } from '@scriptorium/testing/own-rig';
import { eventually, get, startRig, type Body, type Person, type Rig } from '../test/rig.js';

describe('the change feed of an organization', () => {
  let rig: Rig;
  let org: string;
  let second: Gateway;
  let reader: Person;
  let guest: Person;
  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
    org = `/orgs/${rig.organization}`;
    await rig.replica();
    second = await createGateway({ ...gatewayDefaults, natsUrl: rig.config.NATS_URL, namespace: rig.config.NAMESPACE });
    reader = await rig.member('Rea Der', 'read');
    guest = await rig.member('Gus Guest', null);
  }, 60_000);
  afterAll(async () => {
    await second.stop();
    await rig.stop();
  });

  const page = async (query = '', token = rig.owner.token): Promise<Body> =>
    (await rig.send('GET', `${org}/changes${query}`, { token })).body;
  const head = async (): Promise<string> => String(get(await page('?after=now'), 'next.page'));
  const team = async (title: string, members: string[] = []) =>
    String((await rig.send('PUT', `${org}/teams`, { body: { title, members } })).body['id']);
  const actions = ({ items }: { items: readonly Record<string, unknown>[] }) => items.map(({ action }) => action);

  /** Collects the changes that a reader receives, until the stream ends. */
  const follow = (by: Person, endpoint = rig.endpoint, after = 'now') => {
    const received: Change[] = [];
    const stopping = new AbortController();
    const call = { params: { organizationId: rig.organization }, query: { after } };
    const over = (async () => {
      for await (const change of followOperation(
        { endpoint, token: by.token },
        listOrganizationChanges,
        call,
        stopping.signal,
      ))
        received.push(change);
    })();
    return { told: received, over, stop: () => stopping.abort() };
  };

  it('lists changes oldest first, and each cursor continues right after its change', async () => {
    const start = await head();
    const id = await team('Writers');
    const { headers } = await rig.send('PATCH', `${org}/teams/${id}`, { body: { title: 'Editors' } });
    // The events about the tokens of the members may be recorded at any time.
    const ofTeam = ({ items }: Body) => items.filter(({ target }) => get(target, 'id') === id);
    const all = await page(`?after=${start}`);
    expect(ofTeam(all)).toMatchObject([
      {
        object: 'change',
        action: 'team_created',
        actor: { object: 'user', id: rig.owner.id },
        target: { object: 'team', id },
      },
      { action: 'team_renamed' },
    ]);
    const [created, renamed] = ofTeam(all);
    expect([all['more'], renamed?.['cursor']]).toEqual([false, headers.get('scriptorium-position')]);
    const first = await page(`?after=${start}&limit=1`);
    expect([first['more'], first.items.length, get(first, 'next.page')]).toEqual([true, 1, first.items[0]?.['cursor']]);
    const rest = await page(`?after=${String(created?.['cursor'])}`);
    expect(actions({ items: ofTeam(rest) })).toEqual(['team_renamed']);
    const end = await page(`?after=${String(renamed?.['cursor'])}`);
    expect([ofTeam(end), end['more']]).toEqual([[], false]);
    expect(actions(await page('?limit=1'))).toEqual(['organization_created']);
  });

  it('shows each reader only the changes of resources that they may see', async () => {
    const start = await head();
    const [theirs, another] = [await team('Theirs', [guest.id]), await team('Another')];
    await rig.send('PATCH', `${org}`, { body: { title: 'For all' } });
    await rig.send('POST', `${org}/saml`, { body: { label: 'For admins' } });
    await rig.send('PATCH', `${org}/members/${guest.id}`, { body: { role: null } });
    const told = async ({ token }: Person) =>
      (await page(`?after=${start}`, token)).items.map(({ action, target }) => [action, get(target, 'id')]);
    const forAll = [['organization_renamed', rig.organization]];
    const ofTheirs = [
      ['team_created', theirs],
      ['team_member_added', theirs],
    ];
    expect(await told(guest)).toEqual([...ofTheirs, ...forAll]);
    expect(await told(reader)).toEqual([...ofTheirs, ['team_created', another], ...forAll]);
    expect((await told(rig.owner)).length).toBe((await told(reader)).length + 1);
    expect(get(await page(`?after=${start}`, guest.token), 'next.page')).toBe(
      get(await page(`?after=${start}`), 'next.page'),
    );
    const limited = await rig.send('POST', '/user/tokens', {
      body: { label: 'limited', scopes: ['organization:read'] },
    });
    const seen = actions(await page('?limit=1000', String(limited.body['token'])));
    expect([
      seen.includes('team_created'),
      seen.includes('member_joined'),
      seen.includes('saml_provider_created'),
    ]).toEqual([true, false, false]);
  });

  it('contains changes of resources that are deleted, and their deletion', async () => {
    const start = await head();
    const id = await team('Short');
    await rig.send('DELETE', `${org}/teams/${id}`);
    expect(actions(await page(`?after=${start}`, reader.token))).toEqual(['team_created', 'team_deleted']);
  });

  it('refuses strangers, cursors that no answer gave, and tokens without the scope', async () => {
    const stranger = await rig.person('Stran Ger');
    const status = async (query: string, token: string) => {
      const { status, body } = await rig.send('GET', `${org}/changes${query}`, { token });
      return [status, body.error.details?.[0]?.path];
    };
    expect(await status('', stranger.token)).toEqual([404, undefined]);
    expect(await status('?after=999999999999999999', reader.token)).toEqual([400, 'query.after']);
    for (const query of ['after=x', 'after=-1', 'after=99999999999999999999'])
      expect(await status(`?${query}`, reader.token)).toEqual([400, 'query.after']);
    expect(await status('?limit=0', reader.token)).toEqual([400, 'query.limit']);
    const scoped = await rig.send('POST', '/user/tokens', {
      token: reader.token,
      body: { label: 'other', scopes: ['user:read'] },
    });
    expect((await rig.send('GET', `${org}/changes`, { token: String(scoped.body['token']) })).status).toBe(403);
  });

  it('delivers every change once and in order to all followers, through any gateway and replica', async () => {
    const start = await head();
    const readers = [
      follow(rig.owner, rig.endpoint, start),
      follow(reader, rig.endpoint, start),
      follow(reader, second.address, start),
    ];
    const teams = await Promise.all(Array.from({ length: 5 }, (_, i) => team(`Busy ${i}`)));
    await Promise.all(
      teams.map(async (id, i) => {
        for (let n = 0; n < 8; n += 1)
          await rig.send('PATCH', `${org}/teams/${id}`, { body: { title: `Busy ${i} ${n}` } });
      }),
    );
    const all = (await page(`?after=${start}&limit=1000`)).items.map(({ cursor }) => cursor);
    expect(all).toHaveLength(45);
    expect([...all].sort((a, b) => Number(BigInt(String(a)) - BigInt(String(b))))).toEqual(all);
    await eventually(() => readers.every(({ told }) => told.length >= all.length));
    for (const { told, stop } of readers) {
      expect(told.map(({ cursor }) => cursor)).toEqual(all);
      stop();
    }
    await Promise.all(readers.map(({ over }) => over));
  });

  it('continues without gap or repetition when the gateway of a follower restarts', async () => {
    const passing = await createGateway({
      ...gatewayDefaults,
      natsUrl: rig.config.NATS_URL,
      namespace: rig.config.NAMESPACE,
    });
    const { port } = new URL(passing.address);
    const start = await head();
    const following = follow(reader, passing.address, start);
    const ids = [await team('Before')];
    await eventually(() => following.told.length === 1);
    await passing.stop();
    ids.push(await team('Meanwhile'));
    const next = await createGateway({
      ...gatewayDefaults,
      port: Number(port),
      natsUrl: rig.config.NATS_URL,
      namespace: rig.config.NAMESPACE,
    });
    ids.push(await team('After'));
    await eventually(() => following.told.length >= 3);
    expect(following.told.map(({ target }) => target.id)).toEqual(ids);
    following.stop();
    await following.over;
    await next.stop();
  });

  it('ends for a follower whose token is revoked or whose membership ends', async () => {
    const leaver = await rig.member('Lea Leaver', 'read');
    const revoked = await rig.member('Rev Oked', 'read');
    const both = [follow(leaver, second.address, '0'), follow(revoked, second.address, '0')];
    await eventually(() => both.every(({ told }) => told.length > 0));
    const reasons = both.map(({ over }) =>
      over.then(
        () => undefined,
        ({ reason }: { reason: string }) => reason,
      ),
    );
    const { body } = await rig.send('GET', '/user/tokens', { token: revoked.token });
    await Promise.all([
      rig.send('DELETE', `${org}/members/${leaver.id}`),
      rig.send('DELETE', `/user/tokens/${String(body.items[0]?.['id'])}`, { token: revoked.token }),
    ]);
    expect(await Promise.all(reasons)).toEqual(['not_found', 'unauthenticated']);
  });

  it('has an action name for every public event of identity', () => {
    // Other services check the names of their own events.
    const own = [...streamOfAction].filter(([, { service }]) => service === 'identity').map(([action]) => action);
    expect(own.sort()).toMatchSnapshot();
  });
});
