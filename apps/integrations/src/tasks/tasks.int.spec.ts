import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { integrationBounds } from '@scriptorium/contracts';
import { get } from '@scriptorium/testing';
import { comesTrue, startDispatchRig, type DispatchRig, type Received } from '../test/dispatch-rig.js';
import { refusal } from '../test/integration-rig.js';

/** Tells the sink of whatever it gets. */
const script = `export default { async fetch(request) {
  const form = await request.formData();
  const [event, environment] = ['event', 'environment'].map((part) => JSON.parse(form.get(part)));
  const body = JSON.stringify({ event, environment });
  const { status } = await fetch(environment.secrets.SINK, { method: 'POST', body });
  return new Response('', { status });
} };`;

/** What integrations do later. */
describe('a task', () => {
  let world: DispatchRig;
  let name: string;
  let token: string;
  beforeAll(async () => {
    world = await startDispatchRig();
    const begun = await world.begin({ script });
    ({ name } = begun);
    const [first] = await world.told(begun.id, 1);
    token = String(get(first, 'environment.apiTokens.integration'));
    await world.settled(name);
  }, 120_000);
  afterEach(() => {
    world.answer = () => 200;
  });
  afterAll(() => world.stop());

  const queue = (body: unknown, by = token) =>
    world.rig.send('POST', `/integrations/${name}/tasks`, { token: by, body });
  const stored = () => world.rig.store.database.collection('op_tasks');
  const tasks = (): Received[] => world.received.filter(({ event }) => event.type === 'task');
  const told = async (count: number): Promise<Received[]> => {
    await comesTrue(() => expect(tasks().length).toBeGreaterThanOrEqual(count));
    return tasks();
  };

  it('is given to the script of the integration, which has queued it, and is recorded', async () => {
    expect((await queue({ task: { type: 'sync', page: 3 } })).status).toBe(204);
    const [one] = await told(1);
    expect(one?.event).toMatchObject({ type: 'task', task: { type: 'sync', page: 3 } });
    expect(one?.event['installationId']).toBeUndefined();
    expect(one?.environment).toMatchObject({ integration: { name }, secrets: { KEY: 'quillfeather' } });
    expect(one?.environment['installation']).toBeUndefined();
    await world.settled(name);
    const [event] = await world.eventsOf(name);
    expect(event).toMatchObject({ status: 'success', payload: { type: 'task' } });
    expect(JSON.stringify(event)).not.toContain('sync');
    expect(event?.['installationId']).toBeUndefined();
    await comesTrue(async () => expect(await stored().countDocuments()).toBe(0));
    const again = await world.send('POST', `/integrations/${name}/events/${String(event?.['id'])}/redeliver`);
    expect(again.status).toBe(409);
  }, 60_000);

  it('waits until it is due, stored so that nobody reads it, and beside what is delivered to installations', async () => {
    expect((await queue({ task: { word: 'Featherquill' }, schedule: 3_600 })).status).toBe(204);
    const [document] = await stored().find().toArray();
    expect(JSON.stringify(document)).not.toContain('Featherquill');
    const timers = world.rig.store.database.collection('op_timers');
    const due = { command: 'deliver_integration_task' };
    expect(JSON.stringify(await timers.find(due).toArray())).not.toContain('Featherquill');
    const before = tasks().length;
    expect((await queue({ task: { now: true } })).status).toBe(204);
    await told(before + 1);
    expect(tasks().at(-1)?.event).toMatchObject({ task: { now: true } });
    await timers.updateMany(due, { $set: { due: 0 } });
    expect((await told(before + 2)).at(-1)?.event).toMatchObject({ task: { word: 'Featherquill' } });
  }, 60_000);

  it('is tried again when it fails, and is gone after that', async () => {
    let left = 1;
    world.answer = ({ event }) => (event.type === 'task' && left-- > 0 ? 500 : 200);
    const before = tasks().length;
    await queue({ task: { twice: true } });
    const [first, second] = (await told(before + 2)).slice(before);
    expect(second?.event.eventId).toBe(first?.event.eventId);
    world.answer = ({ event }) => (event.type === 'task' ? 400 : 200);
    await queue({ task: { never: true } });
    await told(before + 3);
    await world.settled(name);
    expect((await world.eventsOf(name))[0]).toMatchObject({ status: 'failed', reason: 'status_400', attempts: 1 });
    await comesTrue(async () => expect(await stored().countDocuments()).toBe(0));
  }, 60_000);

  it('is refused when it does not fit, or too many wait', async () => {
    expect(refusal(await queue({}))).toEqual([400, 'invalid_request', 'body.task']);
    expect(refusal(await queue({ task: 'text' }))).toEqual([400, 'invalid_request', 'body.task']);
    expect(refusal(await queue({ task: { text: 'x'.repeat(16 * 1024) } }))).toEqual([
      400,
      'invalid_request',
      'body.task',
    ]);
    // 16 KiB less the other characters of the JSON, in characters of two bytes.
    const wide = (bytes: number) => ({ task: { text: 'é'.repeat(bytes / 2) }, schedule: 3_600 });
    expect(refusal(await queue(wide(16 * 1024 - 10)))).toEqual([400, 'invalid_request', 'body.task']);
    expect((await queue(wide(16 * 1024 - 12))).status).toBe(204);
    for (const schedule of [-1, 86_401])
      expect(refusal(await queue({ task: {}, schedule }))).toEqual([400, 'invalid_request', 'body.schedule']);
    expect((await queue({ task: {} }, world.rig.owner.token)).status).toBe(403);
    await queue({ task: {}, schedule: 3_600 });
    const [{ _id, integration, ...one } = { _id: undefined, integration: '' }] = await stored().find().toArray();
    expect(_id).toBeDefined();
    const waiting = await stored().countDocuments();
    const more = Array.from({ length: integrationBounds.tasks - waiting }, (_, at) => ({
      ...one,
      integration,
      _id: `${String(integration)}:${at}`,
    }));
    await world.rig.store.database.collection<{ _id: string }>('op_tasks').insertMany(more);
    expect(refusal(await queue({ task: {} })).slice(0, 2)).toEqual([409, 'limit_reached']);
    await world.rig.store.database.collection<{ _id: string }>('op_tasks').deleteOne({ _id: more[0]?._id ?? '' });
    const atOnce = await Promise.all(Array.from({ length: 8 }, () => queue({ task: {}, schedule: 3_600 })));
    expect(atOnce.filter(({ status }) => status === 204).length).toBeLessThanOrEqual(1);
    expect(await stored().countDocuments()).toBeLessThanOrEqual(integrationBounds.tasks);
    await world.done('DELETE', `/integrations/${name}`);
    await comesTrue(async () => expect(await stored().countDocuments()).toBe(0));
  }, 60_000);
});
