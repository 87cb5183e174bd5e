import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mongoForTests } from '@scriptorium/embedded/test-servers';
import { eventually } from '@scriptorium/testing';
import { MongoClient, type Db } from 'mongodb';
import { LaneLeases, plannerLease } from './lane-leases.process.js';
import type { LaneDocument } from './lanes.operational.js';

const lanes = ['lane-0', 'lane-1'];
const leases = [plannerLease, ...lanes];

describe('leases of lanes', () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof mongoForTests>>;
  let client: MongoClient;
  let database: Db;
  const started: LaneLeases[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lanes-'));
    server = await mongoForTests({ dataDir: join(folder, 'mongodb') });
    client = new MongoClient(server.url);
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    database = client.db(`lanes-${randomUUID()}`);
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((one) => one.stop()));
    await database.dropDatabase();
  });

  function replica(busy: ReadonlySet<string> = new Set()): LaneLeases {
    const logger = { warn: () => undefined };
    const one = new LaneLeases({ context: { database, logger }, lanes, isBusy: (lane) => busy.has(lane) });
    started.push(one);
    return one;
  }

  const held = (one: LaneLeases) => leases.filter((name) => one.holds(name));
  const stored = () => database.collection<LaneDocument>('op_lanes');

  it('are shared with a replica that comes later, and are all taken when it goes', async () => {
    const [first, second] = [replica(), replica()];
    await first.start();
    await eventually(() => held(first).length === leases.length);
    await second.start();
    await eventually(() => held(second).length === 1);
    expect(held(first)).toHaveLength(2);
    expect(held(first)).toContain(plannerLease);
    await second.stop();
    await eventually(() => held(first).length === leases.length);
  });

  it('stay with a replica whose work of a lane is under way, which begins nothing more', async () => {
    const busy = new Set(lanes);
    const [first, second] = [replica(busy), replica()];
    await first.start();
    await eventually(() => held(first).length === leases.length);
    await second.start();
    await eventually(() => held(first).length === 2);
    const leaving = lanes.find((lane) => !first.holds(lane)) ?? '';
    expect(first.has(leaving)).toBe(true);
    expect(held(second)).toEqual([]);
    busy.clear();
    await eventually(() => second.holds(leaving));
    expect(first.has(leaving)).toBe(false);
  });

  it('are dropped by a replica from which another has taken one, and taken back when that one is silent', async () => {
    const first = replica();
    await first.start();
    await eventually(() => held(first).length === leases.length);
    await stored().updateOne({ _id: 'lane-1' }, { $set: { owner: 'another', beat: 0 }, $inc: { epoch: 1 } });
    await eventually(() => !first.has('lane-1'));
    expect(held(first)).toEqual([plannerLease, 'lane-0']);
    await eventually(() => first.holds('lane-1'));
  });

  it('are taken again by a replica that has one without knowing it', async () => {
    const first = replica();
    await stored().insertOne({ _id: 'lane-0', isReplica: false, owner: first.owner, epoch: 3, beat: 0 });
    await first.start();
    await eventually(() => held(first).length === leases.length);
    expect(await stored().findOne({ _id: 'lane-0' })).toMatchObject({ owner: first.owner, epoch: 4 });
  });
});
