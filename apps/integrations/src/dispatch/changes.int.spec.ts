import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { comesTrue, startDispatchRig, type DispatchRig } from '../test/dispatch-rig.js';
import { officialScript } from '../test/official-script.js';

const account = { properties: { key: { type: 'string' } } };
const site = { properties: { color: { type: 'string' } } };

/** What scripts get when versions, selections and places change, and when something ends. */
describe('a script is told of changes', () => {
  let world: DispatchRig;
  beforeAll(async () => {
    world = await startDispatchRig({ DISPATCH_MAX_QUEUED: '20' });
  }, 120_000);
  afterEach(() => {
    world.answer = () => 200;
  });
  afterAll(() => world.stop());

  const of = (id: string) => world.of(id);
  const typesOf = (id: string) => of(id).map(({ event }) => event.type);
  /** The types of what an installation was told about a space or site. */
  const about = (id: string, kind: 'space' | 'site', target: string) =>
    of(id)
      .filter(({ event }) => event[`${kind}Id`] === target)
      .map(({ event }) => event.type);
  const count = (collection: string, filter: object = {}) =>
    world.rig.store.database.collection(collection).countDocuments(filter);
  const otherOrganization = async () => String((await world.done('POST', '/orgs', { title: 'Other' }))['id']);
  const installIn = async (name: string, body: object) =>
    String((await world.done('POST', `/integrations/${name}/installations`, body))['id']);

  it('of sites: added, configured, taken out and deleted, also where all are selected', async () => {
    const [first, second] = [await world.site('First'), await world.site('Second')];
    const { path, id } = await world.begin({ configurations: { site } });
    const all = await world.begin({}, { site_selection: 'all' });
    await comesTrue(() => expect(about(all.id, 'site', first)).toEqual(['site_installation_setup']));
    for (const siteId of [first, second]) await world.done('POST', `${path}/sites`, { siteId });
    await world.done('PATCH', `${path}/sites/${first}`, { configuration: { color: 'red' } });
    await world.done('DELETE', `${path}/sites/${first}`);
    await world.done('DELETE', `${world.org}/sites/${second}`);
    const told = await world.told(id, 6);
    expect(told.map(({ event }) => event)).toMatchObject([
      { type: 'installation_setup', status: 'active' },
      { type: 'site_installation_setup', siteId: first, status: 'active' },
      { type: 'site_installation_setup', siteId: second, status: 'active' },
      { type: 'site_installation_setup', siteId: first, previous: { status: 'active', configuration: {} } },
      { type: 'site_installation_deleted', siteId: first, previous: { configuration: { color: 'red' } } },
      { type: 'site_installation_deleted', siteId: second },
    ]);
    expect(told[3]?.environment).toMatchObject({ siteInstallation: { site: first, configuration: { color: 'red' } } });
    const third = await world.site('Third');
    await comesTrue(() => expect(about(all.id, 'site', third)).toEqual(['site_installation_setup']));
    expect(about(all.id, 'site', second)).toEqual(['site_installation_setup', 'site_installation_deleted']);
  }, 90_000);

  it('of what was configured on a site that is deleted, however late, and it is removed then', async () => {
    const siteId = await world.site('Doomed');
    const { name, path, id } = await world.begin({ configurations: { site } });
    await world.done('POST', `${path}/sites`, { siteId });
    await world.done('PATCH', `${path}/sites/${siteId}`, { configuration: { color: 'red' } });
    await world.told(id, 3);
    // What the script has answered is recorded: the runtime that stops would lose an answer.
    await world.settled(name);
    await world.stopRuntime();
    await world.done('DELETE', `${world.org}/sites/${siteId}`);
    const timers = { command: 'drop_site_configurations' };
    await comesTrue(async () => expect(await count('op_timers', timers)).toBe(1));
    await comesTrue(async () => {
      const types = (await world.eventsOf(name, '&status=queued')).map(({ payload }) => payload as { type: string });
      expect(types).toMatchObject([{ type: 'site_installation_deleted' }]);
    });
    // The configuration is looked for while it cannot be told yet.
    await world.rig.store.database.collection('op_timers').updateMany(timers, { $set: { due: 0 } });
    await world.startRuntime();
    expect((await world.told(id, 4))[3]?.event).toMatchObject({
      type: 'site_installation_deleted',
      previous: { configuration: { color: 'red' } },
    });
    await world.settled(name);
    await world.rig.store.database.collection('op_timers').updateMany(timers, { $set: { due: 0 } });
    await comesTrue(async () => expect(await count('op_configurations', { installation: id })).toBe(0));
  }, 90_000);

  it('of a version that asks for more, and when that is granted', async () => {
    const { name, path, id } = await world.begin();
    await world.told(id, 1);
    const published = await world.done('GET', `/integrations/${name}`);
    const scopes = ['space:content:read'];
    const script = officialScript(world.teller);
    await world.publish({ script, scopes, title: String(published['title']) }, name);
    await world.told(id, 2);
    await world.done('PATCH', path, {});
    expect((await world.told(id, 3)).map(({ event }) => event)).toMatchObject([
      { type: 'installation_setup', status: 'active' },
      { type: 'installation_setup', status: 'pending', previous: { status: 'active' } },
      { type: 'installation_setup', status: 'active', previous: { status: 'pending' } },
    ]);
    await world.publish({ script, scopes, title: 'Another title' }, name);
    await world.publish({ script, scopes: [], title: 'Another title' }, name);
    await world.settled(name);
    expect(of(id)).toHaveLength(3);
  }, 90_000);

  it('of selections: all from then on, and then those that were selected by themselves alone', async () => {
    const [own, other] = [await world.space('Own'), await world.space('Foreign')];
    const { path, id } = await world.begin();
    await world.done('POST', `${path}/spaces`, { space: own });
    await world.done('PATCH', path, { space_selection: 'all' });
    await comesTrue(() => expect(about(id, 'space', other)).toEqual(['space_installation_setup']));
    await world.done('PATCH', path, { space_selection: 'selected' });
    await comesTrue(() =>
      expect(about(id, 'space', other)).toEqual(['space_installation_setup', 'space_installation_deleted']),
    );
    expect(about(id, 'space', own)).not.toContain('space_installation_deleted');
    expect(typesOf(id).filter((type) => type === 'installation_setup')).toHaveLength(3);
  }, 90_000);

  it('of spaces that are deleted with a collection, where all are selected', async () => {
    const box = String((await world.done('POST', `${world.org}/collections`, { title: 'Box' }))['id']);
    const inside = async (title: string) => {
      const made = await world.done('POST', `${world.org}/spaces`, { title, empty: true, parent: box });
      return String(made['id']);
    };
    const [first, second] = [await inside('First'), await inside('Second')];
    const { id } = await world.begin({ target: 'space' }, { space_selection: 'all' });
    await comesTrue(() => expect(about(id, 'space', second)).toEqual(['space_installation_setup']));
    await world.done('DELETE', `/spaces/${first}`);
    await world.done('DELETE', `/collections/${box}`);
    const both = ['space_installation_setup', 'space_installation_deleted'];
    await comesTrue(() => expect(about(id, 'space', second)).toEqual(both));
    expect(about(id, 'space', first)).toEqual(both);
  }, 90_000);

  it('of a space that goes to another organization: one installation loses it, the other one gets it', async () => {
    const organization = await otherOrganization();
    const before = await world.space('There before');
    const { name, path, id } = await world.begin({ visibility: 'public' }, { space_selection: 'all' });
    await comesTrue(() => expect(about(id, 'space', before)).toContain('space_installation_setup'));
    const theirs = await installIn(name, { organization, space_selection: 'all' });
    const space = await world.space('Moved');
    await world.done('PATCH', `${path}/spaces/${space}`, { externalIds: ['known'] });
    await comesTrue(() => expect(about(id, 'space', space)).toContain('space_installation_setup'));
    await world.done('POST', `/spaces/${space}/transfer`, { organization });
    await comesTrue(() => expect(about(theirs, 'space', space)).toEqual(['space_installation_setup']));
    await world.settled(name);
    expect(about(id, 'space', space)).toEqual(['space_installation_setup', 'space_installation_deleted']);
  }, 90_000);

  it('of the visibility of spaces, as sites show them and as they stand in the library', async () => {
    const [space, other] = [await world.space('Shown'), await world.space('Not selected')];
    const scopes = ['space:metadata:read'];
    const { path, id } = await world.begin({ scopes });
    await world.done('POST', `${path}/spaces`, { space });
    const without = await world.begin({}, { space_selection: 'all' });
    const siteOf = async (visibility: string) => {
      const made = await world.done('POST', `${world.org}/sites`, {
        title: visibility,
        visibility,
        spaces: [space, other],
      });
      return `${world.org}/sites/${String(made['id'])}`;
    };
    const changes = () =>
      of(id)
        .filter(({ event }) => event.type === 'space_visibility_updated')
        .map(({ event: { spaceId, previousVisibility, visibility } }) => [spaceId, previousVisibility, visibility]);
    const told: unknown[] = [];
    const comes = async (previous: string, present: string) => {
      told.push([space, previous, present]);
      await comesTrue(() => expect(changes()).toEqual(told));
    };
    const [unlisted, open] = [await siteOf('unlisted'), await siteOf('public')];
    await world.done('POST', `${unlisted}/publish`);
    await comes('private', 'unlisted');
    await world.done('POST', `${open}/publish`);
    await comes('unlisted', 'public');
    await world.done('PATCH', unlisted, { visibility: 'share-link' });
    await world.done('DELETE', open);
    await comes('public', 'share-link');
    const box = String((await world.done('POST', `${world.org}/collections`, { title: 'Box' }))['id']);
    await world.done('POST', `/spaces/${space}/move`, { parent: box });
    await world.done('POST', `${unlisted}/unpublish`);
    await comes('share-link', 'in-collection');
    await world.done('POST', `/spaces/${space}/move`, { parent: null });
    await comes('in-collection', 'private');
    await world.done('DELETE', unlisted);
    await world.settled(without.name);
    expect(typesOf(without.id)).not.toContain('space_visibility_updated');
    expect(changes()).toEqual(told);
  }, 90_000);

  it('of what visitors do on a site, once, as long as it may be told, and nothing of them is stored', async () => {
    const space = await world.space('Visited');
    await world.done('PATCH', `/spaces/${space}`, { editMode: 'live' });
    const document = { markdown: 'Hello.' };
    const page = (title: string, more = {}) => ({ operation: 'insert_page', title, ref: title, document, ...more });
    const hiding = { condition: 'visitor.claims.plan == "paid"' };
    const changes = [page('start'), page('hidden', hiding)];
    const { refs } = await world.done('POST', `/spaces/${space}/content`, { changes });
    const { start, hidden } = refs as Record<string, string>;
    const made = await world.done('POST', `${world.org}/sites`, { title: 'Visited', spaces: [space] });
    const siteId = String(made['id']);
    const { urls } = await world.done('POST', `${world.org}/sites/${siteId}/publish`);
    const url = (urls as { published: string }).published;
    const telling = world.teller.replace(/events: \{[^}]*\}/, 'events: { site_view: tell, page_feedback: tell }');
    const script = officialScript(telling);
    const begin = async (scopes: string[]) => {
      const one = await world.begin({ script, scopes });
      await world.done('POST', `${one.path}/sites`, { site: siteId });
      return one;
    };
    const both = await begin(['site:views:read', 'page:feedback:read']);
    const views = await begin(['site:views:read']);
    const neither = await begin(['site:metadata:read']);
    const visitor = await world.rig.send('POST', '/urls/published', { token: null, body: { url } });
    const { apiToken: token, siteSpace } = visitor.body as Record<string, string>;
    const track = (...events: object[]) =>
      world.rig.send('POST', `${world.org}/sites/${siteId}/insights/events`, {
        token: String(token),
        body: { events },
      });
    const cookies = { seen: 'yes', 'scriptorium-visitor-token': 'a.b.c' };
    const known = { ip: '203.0.113.7', userAgent: 'Unmistakable/1', referrer: 'https://search.example/' };
    const session = { ...known, cookies, language: 'de', visitorId: 'v1' };
    const at = (on: string | undefined, from: object = session) => ({
      siteSpace,
      session: from,
      location: { space, page: on, url: `${url}start?a=1&jwt_token=a.b.c` },
    });
    await track({ type: 'page_view', ...at(start) }, { type: 'page_view', ...at(hidden) });
    await track({
      type: 'page_post_feedback_comment',
      ...at(start),
      feedback: { rating: 'bad', comment: 'Unmistakably so' },
    });
    await track({ type: 'page_view', ...at(start, known) }, { type: 'page_view', ...at(start, known) });
    const told = (id: string) => of(id).filter(({ event }) => /view|feedback/.test(event.type));
    await comesTrue(() => expect([told(both.id).length, told(views.id).length]).toEqual([4, 3]));
    const events = told(both.id).map(({ event }) => event);
    const eventId = expect.any(String);
    const of_ = { installationId: both.id, siteId, siteSpaceId: siteSpace, spaceId: space, pageId: start };
    const seen = {
      anonymousId: 'v1',
      cookies: { seen: 'yes' },
      userAgent: 'Unmistakable/1',
      ip: '203.0.113.7',
      language: 'de',
    };
    const there = { url: `${url}start?a=1`, referrer: 'https://search.example/' };
    expect(events).toContainEqual({ eventId, type: 'site_view', ...of_, visitor: seen, ...there });
    expect(events.find(({ type }) => type === 'page_feedback')).toMatchObject({
      ...of_,
      feedback: { rating: 'bad', comment: 'Unmistakably so' },
    });
    // Without an id of the renderer it is the same on one day.
    const ids = new Set(events.map((event) => (event['visitor'] as { anonymousId: string }).anonymousId));
    expect([...ids].filter((id) => /^[0-9a-f]{32}$/.test(id))).toHaveLength(1);
    world.answer = () => 500;
    await track({ type: 'page_view', ...at(start) });
    await comesTrue(() => expect(told(both.id)).toHaveLength(5));
    await comesTrue(async () => expect(await world.eventsOf(both.name, '&status=failed')).toHaveLength(1));
    const recorded = (await world.eventsOf(both.name)).map(({ payload }) => (payload as { type: string }).type);
    expect(recorded.filter((type) => type === 'page_feedback')).toHaveLength(1);
    expect(recorded.filter((type) => type === 'site_view')).toHaveLength(1);
    const stored = await Promise.all(
      ['op_deliveries', 'op_traces'].map((name) => world.rig.store.database.collection(name).find({}).toArray()),
    );
    expect(JSON.stringify(stored)).not.toMatch(/Unmistakabl|203\.0\.113|search\.example/);
    expect(told(neither.id)).toEqual([]);
    for (const [more, field] of [
      [{ session: { userAgent: 'x'.repeat(5_000) } }, 'userAgent'],
      [{ session: { cookies: { a: 1 } } }, 'body.events[0]'],
    ] as const) {
      const { status, body } = await track({ type: 'page_view', ...at(start), ...more });
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(field)]);
    }
  }, 90_000);

  it('of nothing more when too much waits, until somebody changes the installation', async () => {
    const { name, path, id } = await world.begin({ configurations: { account } });
    await world.told(id, 1);
    await world.settled(name);
    await world.stopRuntime();
    for (let n = 0; n <= 20; n += 1) await world.done('PATCH', path, { configuration: { key: `${n}` } });
    await comesTrue(async () => expect((await world.done('GET', path))['status']).toBe('paused'));
    const { items } = await world.done('GET', `${world.org}/audit-events?limit=100`);
    expect(items.map(({ action }) => action)).toContain('installation_paused');
    await world.startRuntime();
    await world.settled(name);
    const failed = await world.eventsOf(name, '&status=failed');
    expect(failed.length).toBeGreaterThan(0);
    expect(new Set(failed.map(({ reason }) => reason))).toEqual(new Set(['not_active']));
    const before = of(id).length;
    await world.done('PATCH', path, {});
    await world.done('PATCH', path, { configuration: { key: 'again' } });
    await world.told(id, before + 1);
    expect(of(id).at(-1)?.environment).toMatchObject({ installation: { configuration: { key: 'again' } } });
  }, 90_000);

  it('of the end of its publication once for each installation, and then nothing is left of it', async () => {
    const organization = await otherOrganization();
    const public_ = { visibility: 'public', configurations: { account } };
    const { name, id } = await world.begin(public_, { configuration: { key: 'ours' } });
    const theirs = await installIn(name, { organization, configuration: { key: 'theirs' } });
    await world.told(theirs, 1);
    await world.settled(name);
    const { _id: integration = '' } =
      (await world.rig.store.database.collection<{ _id: string }>('integration_reach_v2').findOne({ name })) ?? {};
    expect(await count('op_traces', { integration })).toBe(2);
    await world.done('DELETE', `/integrations/${name}`);
    for (const [one, key] of [
      [id, 'ours'],
      [theirs, 'theirs'],
    ] as const) {
      const last = (await world.told(one, 2)).at(-1);
      expect(last?.event).toMatchObject({ type: 'installation_deleted', previous: { configuration: { key } } });
      expect(last?.environment).toMatchObject({ integration: { name }, secrets: { KEY: 'quillfeather' } });
      const { apiTokens } = last?.environment as { apiTokens: { integration: string; installation?: string } };
      expect(apiTokens.installation).toBeUndefined();
      const refused = await world.rig.send('GET', `/integrations/${name}`, { token: apiTokens.integration });
      expect(refused.status).toBe(401);
    }
    const left = async (): Promise<number[]> =>
      Promise.all([
        count('op_deliveries', { integration }),
        count('op_traces', { integration }),
        count('op_assets', { integration }),
        count('op_secrets', { integration }),
        count('last_integration_v1', { name }),
        count('last_installation_v2', { integration }),
      ]);
    await comesTrue(async () => expect(await left()).toEqual([0, 0, 0, 0, 0, 0]));
    expect([of(id).length, of(theirs).length]).toEqual([2, 2]);
  }, 90_000);

  it('from an outbox that keeps what was planned for 30 days, also where nobody was told', async () => {
    const outbox = world.rig.store.database.collection('outbox_v6');
    await world.space('Nobody is told');
    const [last] = await outbox.find().sort({ position: -1 }).limit(1).toArray();
    const before = { position: { $lte: Number(last?.['position']) } };
    expect(await outbox.countDocuments(before)).toBeGreaterThan(0);
    const { body } = await world.send('POST', '/operator/integrations/projections/outbox_v6/rebuild');
    expect(body).toMatchObject({ equal: true });
    const month = 30 * 24 * 3_600_000;
    await outbox.updateMany(before, { $set: { time: new Date(Date.now() - month).toISOString() } });
    await world.space('Happens a month later');
    await comesTrue(async () => expect(await outbox.countDocuments(before)).toBe(0));
    expect(await outbox.countDocuments()).toBeGreaterThan(0);
  }, 90_000);
});
