import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { type Conditions } from './work.js';
import { type Store } from '../store/store.js';
import { type Servers, type World, createWorld, startServers } from '../test/servers.js';
import { contextOf, create, rename, remove, team, teamCount, teamList } from '../test/team.js';

let servers: Servers;
let world: World;
let store: Store;
beforeAll(async () => void (servers = await startServers()));
afterAll(() => servers.stop());
beforeEach(async () => {
  world = createWorld(servers);
  store = world.open({ projections: [teamList, teamCount] });
  await store.start();
});
afterEach(() => world.close());

const scopeOf = (conditions?: Conditions, at = store) => at.scope(contextOf('x'), conditions);
const make = (id: string, title = 'a', scope = scopeOf()) =>
  scope.handle(team, id, (state) => create(state, { title, organization: 'o1' }));
const call = (id: string, title: string, scope = scopeOf()) =>
  scope.handle(team, id, (state) => rename(state, { title }));

describe('a dry run', () => {
  it('shows what would have happened to whoever reads in it, and records nothing', async () => {
    await make('t1');
    const dry = scopeOf({ dry: true });
    await make('t2', 'new', dry);
    await call('t2', 'newer', dry);
    await call('t1', 'b', dry);
    await dry.handle(team, 't1', remove);
    await expect(dry.read(teamList).byIds(['t2', 't1'])).resolves.toMatchObject([{ title: 'newer' }]);
    await expect(dry.read(teamCount).byId('o1')).resolves.toMatchObject({ teams: 2 });
    await expect(store.load(team, 't2')).resolves.toEqual({ status: 'absent' });
    await expect(store.collection(teamList).byId('t1')).resolves.toMatchObject({ title: 'a' });
    await expect(call('t1', 'c')).resolves.toMatchObject({ revision: 1n });
    expect(dry.recorded()).toBeUndefined();
  });

  it('waits for nothing, erases nothing and schedules nothing', async () => {
    await make('t1');
    const dry = scopeOf({ dry: true });
    await expect(dry.shown(await call('t1', 'b', dry))).resolves.toBeUndefined();
    await dry.erase(team, 't1');
    await dry.schedule({ id: 'timer', at: 0, command: 'unheard', data: null });
    await expect(store.load(team, 't1')).resolves.toMatchObject({ title: 'a' });
  });

  it('sees what another replica recorded, as the command would', async () => {
    const other = world.open({ projections: [teamList, teamCount] });
    await other.start();
    await make('t1');
    await scopeOf({}, other).handle(team, 't1', remove);
    await expect(call('t1', 'b', scopeOf({ dry: true }))).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('is refused as the command would be', async () => {
    await make('t1');
    await expect(make('t1', 'a', scopeOf({ dry: true }))).rejects.toMatchObject({ reason: 'already_exists' });
    const dry = scopeOf({ dry: true });
    await make('t2', 'a', dry);
    await expect(make('t2', 'a', dry)).rejects.toMatchObject({ reason: 'already_exists' });
  });

  it('does not disturb what others do at the same time', async () => {
    await make('t1');
    const dry = scopeOf({ dry: true });
    const trying = call('t1', 'dry', dry).then(() => call('t1', 'drier', dry));
    await Promise.all([trying, call('t1', 'real')]);
    await expect(store.load(team, 't1')).resolves.toMatchObject({ title: 'real' });
    await expect(store.collection(teamList).byId('t1')).resolves.toMatchObject({ title: 'real' });
  });
});

describe('a precondition', () => {
  const refusing = () => Promise.reject(new AppError('precondition_failed'));

  it('that does not hold keeps everything as it is', async () => {
    await make('t1');
    await expect(call('t1', 'b', scopeOf({ precondition: refusing }))).rejects.toMatchObject({
      reason: 'precondition_failed',
    });
    await expect(store.load(team, 't1')).resolves.toMatchObject({ title: 'a' });
  });

  it('is asked before the first change of a request only, also in scopes derived from it', async () => {
    await make('t1');
    const precondition = jest.fn(() => Promise.resolve());
    const scope = scopeOf({ precondition });
    await call('t1', 'b', scope);
    await call('t1', 'c', scope.in('o2').step('next'));
    expect(precondition).toHaveBeenCalledTimes(1);
  });

  it('is asked of commands that have nothing to record, as their request may go on to something else', async () => {
    const context = { ...contextOf('x'), idem: 'k' };
    const again = (conditions?: Conditions) => make('t1', 'a', store.scope(context, conditions));
    await again();
    await expect(again({ precondition: refusing })).rejects.toMatchObject({ reason: 'precondition_failed' });
    await expect(call('t1', 'a', scopeOf({ precondition: refusing }))).rejects.toMatchObject({
      reason: 'precondition_failed',
    });
  });

  it('is not broken by what the same request did on another replica, which this one has not cached', async () => {
    const other = world.open({ projections: [teamList, teamCount] });
    await other.start();
    await make('t1');
    const precondition = ({ repeated }: { repeated?: boolean }) => (repeated === true ? Promise.resolve() : refusing());
    const again = (at: Store, conditions?: Conditions) =>
      call('t1', 'b', at.scope({ ...contextOf('x'), idem: 'k' }, conditions));
    await again(other);
    await expect(again(store, { precondition })).resolves.toMatchObject({ repeated: true, state: { title: 'b' } });
    await expect(call('t1', 'c', scopeOf({ precondition }))).rejects.toMatchObject({ reason: 'precondition_failed' });
  });

  it('is not broken by the events of a dry run', async () => {
    await make('t1');
    const precondition = async () => {
      if ((await store.collection(teamList).byId('t1'))?.title !== 'a') throw new AppError('precondition_failed');
    };
    const scope = scopeOf({ precondition, dry: true });
    await call('t1', 'b', scope);
    await expect(call('t1', 'c', scope)).resolves.toMatchObject({ state: { title: 'c' } });
  });

  it('is asked again when another replica changed the stream in between, so that one of many holds', async () => {
    await make('t1');
    const other = world.open({ projections: [teamList, teamCount] });
    await other.start();
    const attempts = Array.from({ length: 20 }, (_, n) => {
      const at = n % 2 === 0 ? store : other;
      const precondition = async (stream: { position: bigint; types: readonly string[] }) => {
        await at.waitUntilVisible(stream);
        if ((await at.collection(teamList).byId('t1'))?.title !== 'a') throw new AppError('precondition_failed');
      };
      return call('t1', `n${n}`, scopeOf({ precondition }, at));
    });
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(
      outcomes.filter(
        (outcome) => outcome.status === 'rejected' && (outcome.reason as AppError).reason !== 'precondition_failed',
      ),
    ).toEqual([]);
  });
});

describe('what a scope recorded', () => {
  it('is known by position and types, also when the command is repeated', async () => {
    const context = { ...contextOf('x'), idem: 'k' };
    const once = async () => {
      const scope = store.scope(context);
      const done = await make('t1', 'a', scope);
      expect(scope.recorded()).toEqual({
        position: done.position,
        types: ['TeamCreated'],
        positions: new Map([['TeamCreated', done.position]]),
      });
      return done.position;
    };
    expect(await once()).toBe(await once());
    expect(store.scope(context).recorded()).toBeUndefined();
  });

  it('has a position for each type', async () => {
    const scope = scopeOf();
    const created = await make('t1', 'a', scope);
    const renamed = await call('t1', 'b', scope);
    const removed = await scope.handle(team, 't1', remove);
    const again = await make('t2', 'a', scope);
    expect(created.position < again.position).toBe(true);
    expect(scope.recorded()?.positions).toEqual(
      new Map([
        ['TeamCreated', again.position],
        ['TeamRenamed', renamed.position],
        ['TeamDeleted', removed.position],
      ]),
    );
  });

  it('is waited for by type, and only by projections that consume the type', async () => {
    const other = world.open({ projections: [teamList] });
    await other.start();
    const scope = scopeOf();
    await scope.handle(team, 't1', (state) => create(state, { title: 'a', organization: 'o1' }), { wait: false });
    await other.waitForTypes(scope.recorded()?.positions ?? new Map(), Date.now() + 10_000);
    await expect(other.collection(teamList).byId('t1')).resolves.toMatchObject({ title: 'a' });
  });

  it('is not waited for by type if nothing consumes the type, and not beyond the deadline', async () => {
    const far = 2n ** 61n;
    await store.waitForTypes(new Map([['SpaceCreated', far]]), Date.now() - 1);
    await expect(store.waitForTypes(new Map([['TeamCreated', far]]), Date.now() + 600)).rejects.toMatchObject({
      reason: 'unavailable',
      retryAfter: 1,
    });
  });

  it('is reached on every replica, also when what follows concerns no projection', async () => {
    const other = world.open({ projections: [teamCount] });
    await other.start();
    await make('t1');
    const { position } = await call('t1', 'b');
    await expect(other.waitForPosition(position, 2000)).resolves.toBe('reached');
    await expect(store.waitForPosition(position, 2000)).resolves.toBe('reached');
    await expect(store.waitForPosition(position + 1_000_000n, 2000)).resolves.toBe('unknown');
    await expect(store.collection(teamList).byId('t1')).resolves.toMatchObject({ title: 'b' });
  });
});

describe('a scope', () => {
  it('stamps events with the organization, place, actor and step that it was derived for', async () => {
    const scope = store.scope({ ...contextOf('x'), idem: 'k' });
    const own = scope.in('o9').within({ space: 's1' }).as({ kind: 'user', id: 'u9' }).step('second');
    const { events } = await make('t1', 'a', own);
    expect(events[0]?.meta).toMatchObject({
      organization: 'o9',
      within: { space: 's1' },
      actor: { kind: 'user', id: 'u9' },
      idem: 'k:second',
    });
    expect(scope.context).toMatchObject({ organization: 'o1', idem: 'k' });
  });

  it('notes which projections are read through it', async () => {
    const read: string[] = [];
    const scope = scopeOf().noting(({ name }) => void read.push(name));
    await scope.in('o2').read(teamList).byId('t1');
    await scopeOf().read(teamCount).byId('o1');
    expect(read).toEqual(['team_list']);
  });
});
