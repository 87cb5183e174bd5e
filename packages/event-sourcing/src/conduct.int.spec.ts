import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { conducted } from './conduct.js';
import { type Store } from './store.js';
import { type Servers, type World, createWorld, startServers } from './test/servers.js';
import { contextOf, create, rename, remove, team, teamCount, teamList } from './test/team.js';

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

const make = (id: string, title = 'a') => store.handle(team, id, contextOf('x'), (state) => create(state, { title, organization: 'o1' }));
const call = (id: string, title: string) => store.handle(team, id, contextOf('x'), (state) => rename(state, { title }));

describe('a dry run', () => {
  it('shows what would have happened to whoever asks in it, and leaves nothing', async () => {
    await make('t1');
    const { result } = await conducted({ dry: true }, async () => {
      await make('t2', 'new');
      await call('t2', 'newer');
      await call('t1', 'b');
      await store.handle(team, 't1', contextOf('x'), remove);
      return [await store.collection(teamList).byId('t2'), await store.collection(teamList).byId('t1'), await store.collection(teamCount).byId('o1')];
    });
    expect(result).toMatchObject([{ title: 'newer' }, null, { teams: 2 }]);
    await expect(store.load(team, 't2')).resolves.toEqual({ status: 'absent' });
    await expect(store.collection(teamList).byId('t1')).resolves.toMatchObject({ title: 'a' });
    await expect(call('t1', 'c')).resolves.toMatchObject({ revision: 1n });
  });

  it('waits for nothing: what it made is shown to itself alone', async () => {
    await conducted({ dry: true }, async () => {
      const done = await store.handle(team, 't1', contextOf('x'), (state) => create(state, { title: 'a', organization: 'o1' }), { wait: false });
      await expect(store.shown(done, Date.now())).resolves.toBeUndefined();
    });
  });

  it('sees what another replica recorded, as the command would', async () => {
    const other = world.open({ projections: [teamList, teamCount] });
    await other.start();
    await make('t1');
    await other.handle(team, 't1', contextOf('x'), remove);
    await expect(conducted({ dry: true }, () => call('t1', 'b'))).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('is refused as the command would be', async () => {
    await make('t1');
    await expect(conducted({ dry: true }, () => make('t1'))).rejects.toMatchObject({ reason: 'already_exists' });
    await expect(
      conducted({ dry: true }, async () => {
        await make('t2');
        await make('t2');
      }),
    ).rejects.toMatchObject({ reason: 'already_exists' });
  });

  it('does not disturb what others do at the same time', async () => {
    await make('t1');
    const dry = conducted({ dry: true }, async () => {
      await call('t1', 'dry');
      await call('t1', 'drier');
    });
    await Promise.all([dry, call('t1', 'real')]);
    await expect(store.load(team, 't1')).resolves.toMatchObject({ title: 'real' });
    await expect(store.collection(teamList).byId('t1')).resolves.toMatchObject({ title: 'real' });
  });
});

describe('a precondition', () => {
  const refusing = () => Promise.reject(new AppError('precondition_failed'));

  it('that does not hold keeps everything as it is', async () => {
    await make('t1');
    await expect(conducted({ precondition: refusing }, () => call('t1', 'b'))).rejects.toMatchObject({ reason: 'precondition_failed' });
    await expect(store.load(team, 't1')).resolves.toMatchObject({ title: 'a' });
  });

  it('is asked before the first change alone: later ones are the request’s own', async () => {
    await make('t1');
    const precondition = jest.fn(() => Promise.resolve());
    await conducted({ precondition }, async () => {
      await call('t1', 'b');
      await call('t1', 'c');
    });
    expect(precondition).toHaveBeenCalledTimes(1);
  });

  it('is asked of commands that have nothing to record, as their request may go on to something else', async () => {
    const context = { ...contextOf('x'), idem: 'k' };
    const again = () => store.handle(team, 't1', context, (state) => create(state, { title: 'a', organization: 'o1' }));
    await again();
    await expect(conducted({ precondition: refusing }, again)).rejects.toMatchObject({ reason: 'precondition_failed' });
    await expect(conducted({ precondition: refusing }, () => call('t1', 'a'))).rejects.toMatchObject({ reason: 'precondition_failed' });
  });

  it('is not broken by what the same request did on another replica, which this one does not remember', async () => {
    const other = world.open({ projections: [teamList, teamCount] });
    await other.start();
    await make('t1');
    const precondition = ({ repeated }: { repeated?: boolean }) => (repeated === true ? Promise.resolve() : refusing());
    const again = (at: Store) => at.handle(team, 't1', { ...contextOf('x'), idem: 'k' }, (state) => rename(state, { title: 'b' }));
    await again(other);
    expect((await conducted({ precondition }, () => again(store))).result).toMatchObject({ repeated: true, state: { title: 'b' } });
    await expect(conducted({ precondition }, () => call('t1', 'c'))).rejects.toMatchObject({ reason: 'precondition_failed' });
  });

  it('is no more broken by what a dry run imagines than by what is recorded', async () => {
    await make('t1');
    const precondition = async () => {
      if ((await store.collection(teamList).byId('t1'))?.title !== 'a') throw new AppError('precondition_failed');
    };
    const { result } = await conducted({ precondition, dry: true }, async () => {
      await call('t1', 'b');
      return call('t1', 'c');
    });
    expect(result.state).toMatchObject({ title: 'c' });
  });

  it('is asked again when another replica changed the stream in between, so that one of many holds', async () => {
    await make('t1');
    const other = world.open({ projections: [teamList, teamCount] });
    await other.start();
    const attempts = Array.from({ length: 20 }, (_, n) => {
      const at = n % 2 === 0 ? store : other;
      const precondition = async (stream: { position: bigint; types: readonly string[] }) => {
        await at.visible(stream);
        if ((await at.collection(teamList).byId('t1'))?.title !== 'a') throw new AppError('precondition_failed');
      };
      return conducted({ precondition }, () => at.handle(team, 't1', contextOf('x'), (state) => rename(state, { title: `n${n}` })));
    });
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.status === 'rejected' && (outcome.reason as AppError).reason !== 'precondition_failed')).toEqual([]);
  });
});

describe('a position', () => {
  it('is that of the last event a request recorded, also when it is repeated', async () => {
    const context = { ...contextOf('x'), idem: 'k' };
    const once = () => conducted({}, () => store.handle(team, 't1', context, (state) => create(state, { title: 'a', organization: 'o1' })));
    const { position, result } = await once();
    expect(position).toBe(result.position);
    expect((await once()).position).toBe(position);
    expect((await conducted({}, () => Promise.resolve())).position).toBeUndefined();
  });

  it('is reached on every replica, also when what follows concerns no projection', async () => {
    const other = world.open({ projections: [teamCount] });
    await other.start();
    await make('t1');
    const { position = 0n } = await conducted({}, () => call('t1', 'b'));
    await expect(other.reached(position, 2000)).resolves.toBe('reached');
    await expect(store.reached(position, 2000)).resolves.toBe('reached');
    await expect(store.reached(position + 1_000_000n, 2000)).resolves.toBe('unknown');
    await expect(store.collection(teamList).byId('t1')).resolves.toMatchObject({ title: 'b' });
  });
});
