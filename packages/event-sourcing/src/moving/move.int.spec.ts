import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Long, MongoClient } from 'mongodb';
import { openLog, writeOffset } from '../events/log-offset.js';
import { reactor } from '../reactors/reactor.js';
import { type Store, createStore } from '../store/store.js';
import { type Servers, eventually, startServers } from '../test/servers.js';
import { addMember, contextOf, create, rename, team, teamEvents, teamList } from '../test/team.js';
import { useWorld } from '../test/use-world.js';
import { type Move } from './move.js';
import { moveDocuments, namedPositions } from './move-documents.js';
import { firstEventId, moveLog } from './move-log.js';
import { claimTarget, isInUse, releaseTarget } from './move-target.js';

const { servers, world } = useWorld();
let others: Servers;
const opening: Store[] = [];
beforeAll(async () => void (others = await startServers()));
afterAll(async () => {
  for (const store of opening) await store.stop();
  await others.stop();
});

const heard: string[] = [];
beforeEach(() => void (heard.length = 0));
const listener = reactor({
  name: 'listener',
  version: 1,
  entities: ['identity.team'],
  events: [teamEvents],
  react: (event) => Promise.resolve(void heard.push(event.id)),
});
const parts = { projections: [teamList], reactors: [listener] };

const places = {
  ids: ['op_letters'],
  texts: [{ collection: 'op_letters', of: { kind: 'told' }, field: 'data', path: ['telling', 'position'] }],
  dropped: [{ collection: 'op_letters', path: ['reply', 'position'] }],
};

/** An installation with some teams, one of them erased, that has been stopped. */
async function installation(): Promise<Move> {
  const store = world.open(parts);
  await store.start();
  const scope = store.scope(contextOf('x'));
  for (const id of ['a', 'b', 'c'])
    await scope.handle(team, id, (state) => create(state, { title: id, organization: 'o1' }));
  await scope.handle(team, 'b', (state) => [...rename(state, { title: 'B' }), ...addMember(state, { user: 'u' })]);
  await store.erase(team, 'a');
  const { position = 0n } = await scope.handle(team, 'c', (state) => rename(state, { title: 'C' }));
  await writeLetters(store, position);
  await eventually(() => heard.length >= 6);
  await store.stop();
  return {
    from: { eventstore: servers.eventstoreUrl, mongodb: servers.mongoUrl },
    to: { eventstore: others.eventstoreUrl, mongodb: others.mongoUrl },
    namespace: world.namespace,
    first: (await firstEventId(servers.eventstoreUrl, world.namespace)) ?? '',
    places,
  };
}

interface Letter {
  _id: string;
  position: Long;
  kind: string;
  data: string;
  reply?: { position?: string; body: string };
}

const lettersOf = (store: Store) => store.database.collection<Letter>('op_letters');

async function writeLetters(store: Store, at: bigint): Promise<void> {
  const data = JSON.stringify({ telling: { position: Number(at) } });
  await lettersOf(store).insertMany([
    { _id: `${at}:a`, position: Long.fromBigInt(at), kind: 'told', data, reply: { position: String(at), body: 'x' } },
    { _id: '0:b', position: Long.fromBigInt(0n), kind: 'other', data },
  ]);
}

async function logOf(move: Move, stopAt = Infinity) {
  return moveLog(move, {
    positions: await namedPositions(move),
    progress: (what, done) => {
      if (what === 'copied' && done >= stopAt) throw new Error('killed');
    },
  });
}

async function tailOf(url: string): Promise<bigint> {
  const log = openLog(url, world.namespace);
  const tail = await log.tail();
  await log.close();
  return tail;
}

const isEmpty = async () => (await firstEventId(others.eventstoreUrl, world.namespace)) === undefined;

/** Another installation first, so that positions of the target are not those of the source. */
async function fill(): Promise<void> {
  const store = createStore({ ...urls(), service: 'identity', namespace: `${world.namespace}x` });
  await store.scope(contextOf('x')).handle(team, 'z', (state) => create(state, { title: 'z', organization: 'o' }));
  await store.stop();
}

describe('a move to other servers', () => {
  it('goes on where it was ended, and leaves an installation that knows what it has done', async () => {
    const move = await installation();
    const before = await tailOf(move.from.eventstore);
    await fill();
    await claimTarget(move);
    await expect(logOf(move, 2)).rejects.toThrow('killed');
    expect(await isEmpty()).toBe(false);
    await claimTarget(move);
    const log = await logOf(move);
    expect(log).toMatchObject({ events: 5, streams: 2, erased: 1 });
    const stopped = moveDocuments(move, log.positions, (_what, name) => {
      if (name.endsWith('op_letters')) throw new Error('killed');
    });
    await expect(stopped).rejects.toThrow('killed');
    const counts = await moveDocuments(move, log.positions, () => undefined);
    expect(counts.get(`${world.namespace}_identity.op_letters`)).toBe(2);
    expect([...counts.keys()].filter((name) => name.includes('team_list'))).toEqual([]);
    await expect(opened()).rejects.toThrow('a copy that is not complete');
    await releaseTarget(move);

    const moved = await opened();
    const scope = moved.scope(contextOf('x'));
    await expect(moved.collection(teamList).byIds(['b', 'c'])).resolves.toMatchObject([
      { title: 'B', members: 1 },
      { title: 'C' },
    ]);
    const [told, other] = await lettersOf(moved).find().sort({ kind: -1 }).toArray();
    const at = String(told?.position);
    expect(told).toMatchObject({ _id: `${at}:a`, data: `{"telling":{"position":${at}}}`, reply: { body: 'x' } });
    expect(told?.reply).not.toHaveProperty('position');
    expect(other).toMatchObject({ _id: '0:b', data: expect.not.stringContaining(at) });

    heard.length = 0;
    const next = await scope.handle(team, 'c', (state) => rename(state, { title: 'D' }));
    expect(next.revision).toBe(2n);
    expect(BigInt(at)).toBeLessThan(next.position ?? 0n);
    // Positions that people hold from before are known as such.
    expect(BigInt(at)).toBeGreaterThan(before);
    expect([await moved.isFormer(before), await moved.isFormer(BigInt(at))]).toEqual([true, false]);
    await expect(moved.past(team, 'c', { position: before })).resolves.toBe('former');
    await expect(moved.waitForPosition(before, 5_000)).resolves.toBe('reached');
    const again = scope.handle(team, 'a', (state) => create(state, { title: 'a', organization: 'o' }));
    await expect(again).rejects.toThrow();
    // The reactor goes on behind what it had processed.
    await eventually(() => heard.length > 0);
    expect(heard).toHaveLength(1);
    expect(await isInUse(others.mongoUrl, world.namespace)).toBe(true);
    await moved.stop();
    expect(await isInUse(others.mongoUrl, world.namespace)).toBe(false);
    await expect(claimTarget(move)).rejects.toMatchObject({ reason: 'conflict' });
  });

  it('copies documents anew when the source was started meanwhile', async () => {
    const move = await installation();
    await claimTarget(move);
    const { positions } = await logOf(move);
    await moveDocuments(move, positions, () => undefined);
    const store = world.open(parts);
    await store.start();
    await lettersOf(store).deleteMany({});
    await store.scope(contextOf('x')).handle(team, 'b', (state) => rename(state, { title: 'later' }));
    await store.stop();
    await claimTarget(move);
    const log = await logOf(move);
    expect(log.events).toBe(6);
    const counts = await moveDocuments(move, log.positions, () => undefined);
    expect(counts.get(`${world.namespace}_identity.op_letters`)).toBe(0);
  });

  it('keeps what a complete copy has, also where the mark of the move is left', async () => {
    const move = await installation();
    await claimTarget(move);
    const { positions } = await logOf(move);
    await moveDocuments(move, positions, () => undefined);
    await writeOffset(others.eventstoreUrl, world.namespace, { isComplete: true });
    await expect(claimTarget(move)).rejects.toThrow('the copy is complete already');
    const moved = await opened();
    await expect(moved.collection(teamList).byIds(['b'])).resolves.toMatchObject([{ title: 'B' }]);
    await moved.stop();
  });

  it('refuses a target that has other events or documents', async () => {
    const move = await installation();
    const client = new MongoClient(others.mongoUrl);
    await client.db(`${world.namespace}_identity`).collection('op_marks').insertOne({ title: 'other' });
    await client.close();
    await expect(claimTarget(move)).rejects.toMatchObject({ reason: 'conflict' });
    const stranger = createStore({ ...urls(), service: 'identity', namespace: world.namespace });
    await stranger.scope(contextOf('x')).handle(team, 'z', (state) => create(state, { title: 'z', organization: 'o' }));
    await stranger.stop();
    await expect(logOf(move)).rejects.toThrow('the target log is not a copy of the source');
  });
});

const urls = () => ({ eventstoreUrl: others.eventstoreUrl, mongoUrl: others.mongoUrl });

async function opened(): Promise<Store> {
  const store = createStore({ ...urls(), ...parts, service: 'identity', namespace: world.namespace });
  opening.push(store);
  await store.start();
  return store;
}
