import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/testing';
import { openStore } from '@scriptorium/testing/store';
import {
  allDeliveries,
  causesIn,
  countCauses,
  insertDeliveries,
  outbox,
  positionsOf,
  queueOf,
  webhookDelivery,
  type AnyDelivery,
} from '../outbox/index.js';
import { startRig, type Rig } from '../test/rig.js';
import { deliverAgain, type Place } from './deliver-again.process.js';

/** In a queue that nobody serves. */
describe('a step of a replay', () => {
  let rig: Rig;
  let store: ReturnType<typeof openStore>;
  const queue = queueOf('replayed');
  const types = ['space_added'];
  const delivery = (position: number): AnyDelivery => {
    const target = { kind: 'space', id: 's' } as const;
    const planned = { webhook: 'replayed', organization: 'o', type: 'space_added', target, revision: null } as const;
    return { ...webhookDelivery(planned, { position, happenedAt: '2026-01-02T03:04:05.006Z' }, 1), slot: 100_000 };
  };
  const context = () => ({ database: store.database, now: () => 5 });
  const stored = () => allDeliveries(context()).find({ installation: queue }).sort({ position: 1 }).toArray();
  const arrived = () =>
    allDeliveries(context()).updateMany({ installation: queue, state: 'queued' }, { $set: { state: 'success' } });

  /** Of one event, for many spaces. */
  const ofSpace = (n: number): AnyDelivery => {
    const one = delivery(9);
    return { ...one, _id: `${one._id}:${n}`, event: `space-${n}`, target: { kind: 'space', id: `${n}` } };
  };

  beforeAll(async () => {
    rig = await startRig();
    store = openStore(rig.config, 'integrations');
  }, 120_000);
  afterAll(async () => {
    await allDeliveries(context()).deleteMany({ installation: queue });
    await store.stop();
    await rig.stop();
  });

  it('queues in order: what is delivered meanwhile is the first of all', async () => {
    const queued: number[][] = [];
    const look = async () => {
      const found = await allDeliveries(context()).find({ installation: queue, state: 'queued' }).toArray();
      queued.push(found.map(({ position }) => position).sort());
    };
    const watched = new Proxy(store.database, {
      get: (db, name) =>
        name !== 'collection'
          ? (Reflect.get(db, name) as unknown)
          : (of: string) =>
              new Proxy(db.collection(of), {
                get: (collection, method) =>
                  method !== 'insertMany' && method !== 'updateOne'
                    ? (Reflect.get(collection, method) as unknown)
                    : async (...given: [never, never]) => {
                        const done: unknown = await collection[method](...given);
                        await look();
                        return done;
                      },
              }),
    });
    await insertDeliveries(context(), [
      { ...delivery(1), state: 'success' },
      { ...delivery(3), state: 'success' },
    ]);
    const again = { queue, positions: [1, 2, 3], types, run: 'o', after: undefined, limit: 20 };
    await deliverAgain({ ...context(), database: watched }, [1, 2, 3].map(delivery), again);
    expect(queued.at(-1)).toEqual([1, 2, 3]);
    for (const some of queued) expect(some).toEqual([1, 2, 3].slice(0, some.length));
    await allDeliveries(context()).deleteMany({ installation: queue });
  });

  it('queues what was sent and what was not, and changes nothing when it is repeated after it was cut off', async () => {
    const planned = [delivery(1), delivery(2), delivery(3)];
    const step = async (run: string) =>
      (await deliverAgain(context(), planned, { queue, positions: [1, 2, 3], types, run, after: undefined, limit: 20 }))
        .count;
    await insertDeliveries(context(), [{ ...delivery(1), state: 'failed', reason: 'status_500', attempts: 7 }]);
    // It was cut off when it had stored the second one, which has arrived since.
    await insertDeliveries(context(), [{ ...delivery(2), state: 'success', replay: 'a' }]);
    expect(await step('a')).toBe(3);
    const ids = planned.map(({ event }) => event);
    expect((await stored()).map(({ event }) => event)).toEqual(ids);
    expect((await stored()).map(({ state }) => state)).toEqual(['queued', 'success', 'queued']);
    expect((await stored())[0]).toMatchObject({ reason: null, attempts: 0, nextAt: 5, at: 5, replay: 'a' });
    await arrived();
    expect(await step('a')).toBe(3);
    expect((await stored()).map(({ state }) => state)).toEqual(['success', 'success', 'success']);
    expect(await step('b')).toBe(3);
    expect((await stored()).map(({ state, replay }) => [state, replay])).toEqual(ids.map(() => ['queued', 'b']));
  });

  it('has a bound: what one event has caused is queued in parts, with what was never stored in its place', async () => {
    const [first, ...others] = [1, 2, 3, 4, 5].map(ofSpace);
    if (first === undefined) throw new Error('nothing is planned');
    const old = others.filter((_, n) => n !== 1);
    await insertDeliveries(
      context(),
      [{ ...first, rank: 0 }, ...old].map((one) => ({ ...one, state: 'success' })),
    );
    const again = { queue, positions: [9], types, run: 'c', limit: 2 };
    const parts: string[][] = [];
    for (let after: Place | undefined, n = 0; n === 0 || after !== undefined; n++) {
      const { count, more } = await deliverAgain(context(), others.slice(1, 2), { ...again, after });
      const queued = await allDeliveries(context()).find({ installation: queue, replay: 'c' }).toArray();
      expect(queued).toHaveLength(parts.flat().length + count);
      parts.push(queued.map(({ event }) => event).filter((event) => !parts.flat().includes(event)));
      after = more;
    }
    expect(parts.map((part) => part.sort())).toEqual([['space-1', 'space-2'], ['space-3', 'space-4'], ['space-5']]);
  });

  it('reads the log from where a time begins to where it ends', async () => {
    const live = { title: 'Within a time', editMode: 'live', empty: true };
    const { body } = await rig.send('POST', `/orgs/${rig.organization}/spaces`, { body: live });
    const actor = { kind: 'system', id: 'spec' } as const;
    const scope = store.scope({ actor, organization: rig.organization, operation: 'spec', correlation: 'spec' });
    const find = () => scope.read(outbox).findOne({ 'causes.target.id': String(body['id']) });
    await eventually(async () => (await find()) !== null);
    const found = await find();
    if (found === null) throw new Error('it is not there');
    const { position, time: from, _id } = found;
    const to = new Date(Date.parse(from) + 1).toISOString();
    const [first] = await scope.read(outbox).find({}).sort({ position: 1 }).limit(1).toArray();
    const { after, through } = await positionsOf(scope, { from, to, written: position });
    expect([after < position, after >= (first?.position ?? 0) - 1, through]).toEqual([true, true, position]);
    const future = { from: '2999-01-01T00:00:00.000Z', to: '2999-02-01T00:00:00.000Z' };
    expect(await positionsOf(scope, { ...future, written: position })).toEqual({ after: position, through: position });
    const past = { from: '1999-01-01T00:00:00.000Z', to: '1999-02-01T00:00:00.000Z' };
    const none = await positionsOf(scope, { ...past, written: position });
    expect(none.through).toBe(none.after);
    const causes = (upTo: number) =>
      causesIn(scope, rig.organization, { from, to, behind: { position: after, id: '' }, through: upTo, limit: 100 });
    expect((await causes(through)).map((one) => one._id)).toContain(_id);
    expect((await causes(position - 1)).map((one) => one._id)).not.toContain(_id);
    expect(await countCauses(scope, rig.organization, { from, to, most: 100 })).toBeGreaterThan(0);
  });
});
