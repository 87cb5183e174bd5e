import { AppError } from '@scriptorium/contracts';
import { describe, expect, it } from '@jest/globals';
import { type Team, type TeamEvent, addMember, contextOf, create, remove, rename, team } from '../test/team.js';
import { useWorld } from '../test/use-world.js';

const { world } = useWorld();

const writers = { title: 'Writers', organization: 'o1' };

describe('commands that wait for the same stream', () => {
  const open = async () => {
    const appends: number[] = [];
    const metrics = { appended: (_: string, events: number) => void appends.push(events) };
    const store = world.open({ projections: [], metrics });
    await store.scope(contextOf('create')).handle(team, 't1', (state) => create(state, writers));
    appends.length = 0;
    return { store, appends };
  };

  it('are recorded by one append, each with its own metadata and revision', async () => {
    const { store, appends } = await open();
    const scopes = ['a', 'b', 'c'].map((idem) => store.scope(contextOf(`add-${idem}`, { idem })));
    const all = await Promise.all(
      scopes.map((scope, n) => scope.handle(team, 't1', (state) => addMember(state, { user: `u${n}` }))),
    );
    expect(appends).toEqual([3]);
    expect(all.map(({ revision }) => revision)).toEqual([1n, 2n, 3n]);
    expect(new Set(all.map(({ position }) => position)).size).toBe(1);
    expect(all.map(({ events }) => events.map(({ data, meta }) => [data, meta.operation, meta.idem]))).toEqual(
      ['a', 'b', 'c'].map((idem, n) => [[{ user: `u${n}` }, `add-${idem}`, idem]]),
    );
    expect(scopes.map((scope) => scope.recorded()?.position)).toEqual(all.map(({ position }) => position));
    const elsewhere = world.open({ projections: [] });
    for (const [n, idem] of ['a', 'b', 'c'].entries()) {
      const again = await elsewhere.scope(contextOf('x', { idem })).handle(team, 't1', () => []);
      expect(again).toMatchObject({ repeated: true, revision: BigInt(n + 1), events: [{ data: { user: `u${n}` } }] });
    }
  });

  it('are decided on what the ones before record; one that is refused or has nothing to do does not keep others back', async () => {
    const { store, appends } = await open();
    const handle = (decide: (state: Team) => TeamEvent[]) => store.scope(contextOf('x')).handle(team, 't1', decide);
    const renameTo = (state: Team) => rename(state, { title: 'Editors' });
    const all = await Promise.allSettled([
      handle(renameTo),
      handle(renameTo),
      handle((state) => addMember(state, { user: 'u1' })),
      handle((state) => create(state, writers)),
      handle(remove),
      handle((state) => addMember(state, { user: 'u2' })),
    ]);
    const reasons = all.map((one) =>
      one.status === 'fulfilled' ? one.value.events.length : (one.reason as AppError).reason,
    );
    expect(reasons).toEqual([1, 0, 1, 'already_exists', 1, 'not_found']);
    expect(appends).toEqual([1, 1, 1]);
  });

  it('are recognised when they are the same one', async () => {
    const { store } = await open();
    const send = () =>
      store.scope(contextOf('x', { idem: 'k' })).handle(team, 't1', (state) => addMember(state, { user: 'u1' }));
    const both = await Promise.all([send(), send()]);
    expect(both.map(({ repeated, revision }) => [repeated, revision])).toEqual([
      [false, 1n],
      [true, 1n],
    ]);
  });

  it('are tried again as one batch when another process was faster, and are all refused when the stream is erased', async () => {
    const { store, appends } = await open();
    const other = world.open({ projections: [] });
    await other.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, { title: 'Editors' }));
    const add = (user: string) => store.scope(contextOf('x')).handle(team, 't1', (state) => addMember(state, { user }));
    const all = await Promise.all(['u1', 'u2', 'u3'].map(add));
    expect(all.map(({ revision }) => revision)).toEqual([2n, 3n, 4n]);
    expect(appends).toEqual([3]);
    await other.scope(contextOf('x')).erase(team, 't1');
    for (const one of await Promise.allSettled(['u4', 'u5'].map(add)))
      expect(one).toMatchObject({ status: 'rejected', reason: { reason: 'not_found' } });
  });

  it('are at most fifty in one append, without dry runs and without preconditions that look at the stream', async () => {
    const { store, appends } = await open();
    const add = (user: string, work = {}) =>
      store.scope(contextOf('x'), work).handle(team, 't1', (state) => addMember(state, { user }));
    await Promise.all(Array.from({ length: 60 }, (_, n) => add(`u${n}`)));
    expect(appends).toEqual([50, 10]);
    appends.length = 0;
    const asked: bigint[] = [];
    const precondition = ({ position }: { position: bigint }) => Promise.resolve(void asked.push(position));
    const [before] = await Promise.all([
      add('v1'),
      add('v2', { precondition }),
      add('v3', { dry: true }),
      add('v4'),
      add('v5'),
    ]);
    expect(appends).toEqual([1, 1, 2]);
    expect(asked).toEqual([before?.position]);
    await Promise.all([add('w1'), add('w2', { precondition, ignoresStream: true })]);
    expect(appends.slice(3)).toEqual([2]);
    const refuse = () => Promise.reject(new AppError('conflict'));
    const [, refused, behind] = await Promise.allSettled([
      add('x1'),
      add('x2', { precondition: refuse, ignoresStream: true }),
      add('x3'),
    ]);
    expect([refused?.status, behind?.status]).toEqual(['rejected', 'fulfilled']);
  });
});
