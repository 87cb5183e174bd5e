import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { get } from '@scriptorium/testing';
import { comesTrue, startDispatchRig, type DispatchRig } from '../test/dispatch-rig.js';
import { refusal } from '../test/integration-rig.js';
import { officialScript } from '../test/official-script.js';

const account = { properties: { key: { type: 'string' } }, required: ['key'] };
const space = { properties: { room: { type: 'string' } } };
const reading = { scopes: ['space:content:read'] };

/** What scripts of integrations get. */
describe('a script is told', () => {
  let world: DispatchRig;
  beforeAll(async () => {
    world = await startDispatchRig();
  }, 120_000);
  afterEach(() => {
    world.answer = () => 200;
  });
  afterAll(() => world.stop());

  const of = (id: string) => world.of(id);
  const typesOf = (id: string) => of(id).map(({ event }) => event.type);
  const told: DispatchRig['told'] = (...asked) => world.told(...asked);
  const eventsOf: DispatchRig['eventsOf'] = (...asked) => world.eventsOf(...asked);
  const settled: DispatchRig['settled'] = (name) => world.settled(name);
  const edit = async (id: string, title: string) =>
    world.done('POST', `/spaces/${id}/content`, {
      changes: [{ operation: 'insert_page', title, document: { markdown: 'Text.' } }],
    });

  it('of its installation, of a space, and of its configuration, in this order, and what was before', async () => {
    const { name, path, id } = await world.begin({ configurations: { account, space }, target: 'space' });
    const target = await world.space('Told');
    await world.done('POST', `${path}/spaces`, { space: target });
    await world.done('PATCH', path, { configuration: { key: 'value of key' } });
    const all = await told(id, 3);
    expect(all.map(({ event }) => event)).toMatchObject([
      { type: 'installation_setup', status: 'pending' },
      { type: 'space_installation_setup', spaceId: target, status: 'active' },
      { type: 'installation_setup', status: 'active', previous: { status: 'pending', configuration: {} } },
    ]);
    expect(all[0]?.event['previous']).toBeUndefined();
    expect(new Set(all.map(({ event }) => event.eventId)).size).toBe(3);
    expect(all[2]?.environment).toMatchObject({
      integration: { name, version: 1 },
      installation: { id, status: 'active', configuration: { key: 'value of key' } },
      secrets: { KEY: 'quillfeather' },
      apiEndpoint: world.rig.config.PUBLIC_URL,
    });
    expect(all[1]?.environment).toMatchObject({ spaceInstallation: { space: target, status: 'active' } });
    await settled(name);
    const [latest, ...others] = await eventsOf(name);
    expect(others).toHaveLength(2);
    expect(latest).toMatchObject({
      integrationId: name,
      installationId: id,
      status: 'success',
      attempts: 1,
      payload: { type: 'installation_setup', status: 'active', previous: { status: 'pending' } },
    });
    expect(JSON.stringify([latest, ...others])).not.toContain('value of key');
    await comesTrue(async () => {
      const { body } = await world.send('GET', `/integrations/${name}/events/${String(latest?.['id'])}`);
      const lines = (get(body, 'trace.logs') as { message: string }[]).map(({ message }) => message);
      expect(lines).toContain('got installation_setup ***');
    });
  }, 60_000);

  it('of content of the spaces that it reaches alone, once for each revision of the main content', async () => {
    const live = { editMode: 'live', empty: true };
    const create = async (title: string) =>
      String((await world.done('POST', `${world.org}/spaces`, { title, ...live }))['id']);
    const [inside, outside] = [await create('Inside'), await create('Outside')];
    const { path, id } = await world.begin(reading);
    await world.done('POST', `${path}/spaces`, { space: inside });
    await edit(outside, 'Not told');
    await edit(inside, 'First');
    await edit(inside, 'Second');
    await told(id, 4);
    const { id: revision } = await world.done('GET', `/spaces/${inside}/content`);
    expect(of(id).map(({ event }) => [event.type, event['spaceId']])).toEqual([
      ['installation_setup', undefined],
      ['space_installation_setup', inside],
      ['space_content_updated', inside],
      ['space_content_updated', inside],
    ]);
    expect(of(id).at(-1)?.event['revisionId']).toBe(revision);
    const { apiTokens } = of(id).at(-1)?.environment as { apiTokens: { installation: string } };
    const as = { token: apiTokens.installation };
    const read = async (one: string) => (await world.rig.send('GET', `/spaces/${one}/content`, as)).status;
    expect([await read(inside), await read(outside)]).toEqual([200, 404]);
    expect((await world.rig.send('PATCH', path, { ...as, body: { externalIds: ['known'] } })).status).toBe(200);
    const { items } = await world.done('GET', `${path.replace(/\/[^/]+$/, '')}?externalId=known`);
    expect(items.map((one) => one['id'])).toEqual([id]);
    const { id: without } = await world.begin();
    await edit(inside, 'Third');
    await told(id, 5);
    expect(typesOf(without)).not.toContain('space_content_updated');
  }, 60_000);

  it('of all spaces that are there when all are selected, of new ones, and of ones that are deleted', async () => {
    const before = await world.space('Before');
    const { id } = await world.begin({}, { space_selection: 'all' });
    await comesTrue(() => expect(of(id).map(({ event }) => event['spaceId'])).toContain(before));
    expect(of(id)[0]?.event.type).toBe('installation_setup');
    const after = await world.space('After');
    await comesTrue(() => expect(of(id).map(({ event }) => event['spaceId'])).toContain(after));
    await world.done('DELETE', `/spaces/${after}`);
    await comesTrue(() => expect(typesOf(id)).toContain('space_installation_deleted'));
    expect(of(id).at(-1)?.event).toMatchObject({ spaceId: after, previous: { configuration: {} } });
  }, 60_000);

  it('of its end, with the configuration that it had', async () => {
    const { name, path, id } = await world.begin({ configurations: { account } }, { configuration: { key: 'last' } });
    await told(id, 1);
    await world.done('DELETE', path);
    await told(id, 2);
    expect(of(id).at(-1)?.event).toMatchObject({
      type: 'installation_deleted',
      previous: { configuration: { key: 'last' } },
    });
    await settled(name);
    const events = await eventsOf(name);
    expect(events.map(({ status }) => status)).toEqual(['success', 'success']);
    const again = `/integrations/${name}/events/${String(events[0]?.['id'])}/redeliver`;
    expect(refusal(await world.send('POST', again)).slice(0, 2)).toEqual([409, 'conflict']);
  }, 60_000);

  it('again after a second and two seconds when it fails, under the same id, which is one event', async () => {
    let left = 2;
    world.answer = () => (left-- > 0 ? 500 : 200);
    const { name, id } = await world.begin();
    const all = await told(id, 3);
    expect(new Set(all.map(({ event }) => event.eventId)).size).toBe(1);
    await settled(name);
    const [event, ...others] = await eventsOf(name);
    expect([event?.['status'], event?.['attempts'], others]).toEqual(['success', 3, []]);
    const { body } = await world.send('GET', `/integrations/${name}/events/${String(event?.['id'])}`);
    expect((get(body, 'trace.attempts') as { status: number }[]).map(({ status }) => status)).toEqual([500, 500, 200]);
  }, 60_000);

  it('nothing more when a hundred deliveries have failed, until somebody changes the installation', async () => {
    const { name, path, id } = await world.begin({ configurations: { account: { properties: account.properties } } });
    await told(id, 1);
    world.answer = () => 400;
    for (let i = 0; i < 101; i += 1) await world.done('PATCH', path, { configuration: { key: `value ${i}` } });
    await comesTrue(async () => expect((await world.done('GET', path))['status']).toBe('paused'));
    await settled(name);
    world.answer = () => 200;
    const count = of(id).length;
    await world.done('PATCH', path, { configuration: { key: 'resumed' } });
    expect((await world.done('GET', path))['status']).toBe('active');
    await world.done('PATCH', path, { configuration: { key: 'told' } });
    await told(id, count + 1);
    // Both changes are events; the second one may not be planned yet.
    await comesTrue(async () => expect((await eventsOf(name))[0]).toMatchObject({ status: 'success' }));
    await settled(name);
    expect((await eventsOf(name, '&status=failed')).every(({ reason }) => reason !== undefined)).toBe(true);
  }, 180_000);

  it('what it did not handle is no failure, and what no runtime took waits until one does', async () => {
    const script = 'export default { fetch: () => new Response("", { status: 406 }) };';
    const { name } = await world.begin({ script });
    const unhandled = { status: 'success', reason: 'not_handled', attempts: 1 };
    await comesTrue(async () => expect(await eventsOf(name)).toMatchObject([unhandled]));
    await world.stopRuntime();
    const { name: later, id } = await world.begin();
    await comesTrue(async () => expect(await eventsOf(later, '&status=queued')).toHaveLength(1));
    await world.startRuntime();
    await told(id, 1);
    await settled(later);
    expect(await eventsOf(later)).toMatchObject([{ status: 'success', attempts: 1 }]);
  }, 60_000);

  it('again when an admin asks for it, of the owner or of the organization in which it is installed', async () => {
    const { name, path, id } = await world.begin({ visibility: 'public' });
    await told(id, 1);
    await settled(name);
    const [event] = await eventsOf(name);
    const at = `/integrations/${name}/events/${String(event?.['id'])}`;
    expect((await world.send('POST', `${at}/redeliver`)).status).toBe(202);
    await comesTrue(() =>
      expect(world.received.filter(({ event: { eventId } }) => eventId === event?.['id']).length).toBeGreaterThan(1),
    );
    expect((await world.done('GET', `${path}/events`)).items).toHaveLength(1);
    for (const [person, status] of [
      [world.creator, 403],
      [world.stranger, 404],
    ] as const)
      expect((await world.send('POST', `${at}/redeliver`, undefined, person)).status).toBe(status);
    expect((await world.send('GET', `/integrations/${name}/events`, undefined, world.creator)).status).toBe(403);
    expect((await world.send('GET', `${path}/events`, undefined, world.creator)).status).toBe(403);
    expect((await world.send('GET', `/integrations/${name}/events/none`)).status).toBe(404);
    expect(refusal(await world.send('GET', `/integrations/${name}/events?status=other`))[2]).toBe('query.status');
  }, 60_000);

  it('again of a time, by another version, under the same ids, and of what it was not told while it was paused', async () => {
    const live = { title: 'Replayed', editMode: 'live', empty: true };
    const inside = String((await world.done('POST', `${world.org}/spaces`, live))['id']);
    const { name, path, id } = await world.begin(reading);
    await world.done('POST', `${path}/spaces`, { space: inside });
    await edit(inside, 'Told');
    await told(id, 3);
    await settled(name);
    const known = of(id).map(({ event }) => event.eventId);
    await world.done('POST', `${path}/pause`);
    await edit(inside, 'Not told');
    const from = new Date(Date.now() - 3_600_000).toISOString();
    const replay = (body: object = {}) => world.send('POST', `${path}/replay`, { from, ...body });
    expect(refusal(await replay()).slice(0, 2)).toEqual([409, 'conflict']);
    await world.done('POST', `${path}/resume`);
    await world.publish({ script: officialScript(world.teller), ...reading, title: 'Next' }, name);
    expect(refusal(await replay({ version: 1 })).slice(0, 2)).toEqual([409, 'conflict']);
    expect(refusal(await replay({ types: ['installation_deleted'] }))[2]).toBe('body.types[0]');
    const begun = await replay({ version: 2 });
    expect([begun.status, begun.body['status']]).toEqual([202, expect.stringMatching(/pending|running/)]);
    await comesTrue(async () => expect((await world.done('GET', `${path}/replay`))['status']).toBe('done'));
    await settled(name);
    const again = world.received.filter(
      ({ event }) => event['installationId'] === id && event['delivery'] !== undefined,
    );
    expect(again.map(({ event }) => [event.type, event['delivery']])).toEqual(
      ['installation_setup', 'space_installation_setup', 'space_content_updated', 'space_content_updated'].map(
        (type) => [type, { replay: begun.body['id'] }],
      ),
    );
    expect(again.slice(0, 3).map(({ event }) => event.eventId)).toEqual(known);
    expect(again.at(-1)?.environment).toMatchObject({ integration: { version: 2 } });
    expect(of(id).map(({ event }) => event.eventId)).toEqual([...known, again.at(-1)?.event.eventId]);
    const { items } = await world.done('GET', `${path}/events`);
    const begunAt = String(begun.body['requestedAt']);
    expect(items.map(({ createdAt }) => String(createdAt) < begunAt)).toEqual([true, true, true, true]);
  }, 60_000);
});
