import { describe, expect, it } from '@jest/globals';
import { type Consumers, type ConsumerEntry, createConsumers } from './consumers.js';
import { useWorld } from '../test/use-world.js';
import { systemClock } from '../process/time.js';

const { world } = useWorld();

const names = ['a', 'b', 'c'];
const declared = names.map((name) => ({ name, fingerprint: 'f', position: -1n }));

async function entry(consumers: Consumers, name: string): Promise<ConsumerEntry> {
  const found = (await consumers.read([name])).get(name);
  if (found === undefined) throw new Error(`${name} was never declared`);
  return found;
}

describe('a consumer', () => {
  it('is taken by one of many replicas that find it free at the same time', async () => {
    const replicas = Array.from({ length: 8 }, () => createConsumers(world.open({}).database));
    const [first] = replicas;
    if (first === undefined) throw new Error('no replica');
    await first.declare(declared);
    for (let round = 0; round < 20; round += 1) {
      const free = await entry(first, 'a');
      const taken = await Promise.all(replicas.map((replica, n) => replica.take('a', free, `replica ${n}`)));
      const owner = `replica ${taken.indexOf(true)}`;
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await entry(first, 'a')).toMatchObject({ owner, epoch: round + 1 });
      await first.release(['a'], owner);
    }
  });

  it('is taken with others at once, without those that another replica is taking or has changed', async () => {
    const { database } = world.open({});
    const consumers = createConsumers(database);
    await consumers.declare(declared);
    const seen = await consumers.read(names);
    const [taking = '', changed = '', ...others] = names;
    await database.collection<{ _id: string; by: string }>('op_takeovers').insertOne({ _id: `${taking}/1`, by: 'a' });
    await consumers.take(changed, await entry(consumers, changed), 'another');
    expect([...(await consumers.takeAll(seen, 'me'))].sort()).toEqual([...others].sort());
    expect(await consumers.beat(names, 'me')).toBe(others.length);
    expect(await database.collection<{ _id: string }>('op_takeovers').distinct('_id')).toEqual([`${taking}/1`]);
  });

  it('can be taken after a replica died while taking it', async () => {
    const { database } = world.open({});
    let now = 0;
    const consumers = createConsumers(database, { ...systemClock, monotonic: () => now });
    await consumers.declare(declared);
    const free = await entry(consumers, 'a');
    await database.collection<{ _id: string; by: string }>('op_takeovers').insertMany([
      { _id: 'a/0', by: 'who died when it was done' },
      { _id: 'a/1', by: 'who died' },
    ]);
    const tries: boolean[] = [];
    for (const at of [0, 2_999, 3_000, 3_001]) {
      now = at;
      tries.push(await consumers.take('a', free, 'me'));
    }
    expect(tries).toEqual([false, false, false, true]);
    expect(await database.collection('op_takeovers').countDocuments()).toBe(0);
  });

  it('can be taken when another replica attempted the same epoch earlier', async () => {
    const { database } = world.open({});
    const elections = database.collection<{ _id: string; by: string }>('op_takeovers');
    let now = 0;
    const consumers = createConsumers(database, { ...systemClock, monotonic: () => now });
    await consumers.declare(declared);
    const free = await entry(consumers, 'a');
    for (const by of ['one', 'another']) {
      await elections.replaceOne({ _id: 'a/1' }, { by }, { upsert: true });
      expect(await consumers.take('a', free, 'me')).toBe(false);
      now += 60_000;
    }
    expect(await elections.findOne({ _id: 'a/1' })).toEqual({ _id: 'a/1', by: 'another' });
  });

  it('keeps all concurrent changes of one process', async () => {
    const consumers = createConsumers(world.open({}).database);
    await consumers.declare(declared);
    const heldLeases = names.map((name) => ({ name, epoch: 1 }));
    for (const { name } of heldLeases) await consumers.take(name, await entry(consumers, name), 'me');
    for (let n = 1; n <= 20; n += 1) {
      const marks = heldLeases.map((lease) => consumers.mark(lease, 'me', n % 2 === 0 ? 'live' : 'building'));
      const checkpoints = heldLeases.map((lease) => ({ lease, at: BigInt(n) }));
      await Promise.all([consumers.beat(names, 'me'), ...marks, consumers.checkpoint(checkpoints, 'me')]);
      for (const name of names)
        expect(await entry(consumers, name)).toMatchObject({
          beat: n,
          position: BigInt(n),
          state: n % 2 === 0 ? 'live' : 'building',
        });
    }
  });
});
