import { AppError } from '@scriptorium/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Making } from './command.js';
import { type Conditions } from './work.js';
import { type Team, type TeamEvent, addMember, contextOf, create, rename, team } from '../test/team.js';
import { useWorld } from '../test/use-world.js';

const { world } = useWorld();

interface MadeMember {
  events: TeamEvent[];
  user: string;
  title: string;
}

type MakingOfMember = Making<Team, TeamEvent, MadeMember>;

describe('commands that make something before it is recorded', () => {
  let appends: number[];
  let stored: string[][];
  const open = () =>
    world.open({ projections: [], metrics: { appended: (_: string, events: number) => void appends.push(events) } });
  let store: ReturnType<typeof open>;
  beforeEach(async () => {
    [appends, stored] = [[], []];
    store = open();
    await store.scope(contextOf('x')).handle(team, 't1', (state) => create(state, { title: 'a', organization: 'o1' }));
    appends = [];
  });

  const adding = (user: string, more: Partial<MakingOfMember> = {}): MakingOfMember => ({
    isShort: true,
    make: async ({ state }) => {
      await Promise.resolve();
      return { events: addMember(state, { user }), user, title: state.status === 'active' ? state.title : '' };
    },
    beforeAppend: (made) => Promise.resolve(void stored.push(made.map((one) => one.user))),
    ...more,
  });
  const make = (making: MakingOfMember, { idem, ...conditions }: Conditions & { idem?: string } = {}, on = store) =>
    on.scope(contextOf('x', idem === undefined ? {} : { idem }), conditions).make(team, 't1', making);

  it('are made one on the other when they are short, and recorded by one append', async () => {
    const users = ['u1', 'u2', 'u3', 'u4'];
    const all = await Promise.all(users.map((user) => make(adding(user))));
    expect(all.map(({ revision, made }) => [revision, made?.user])).toEqual([
      [1n, 'u1'],
      [2n, 'u2'],
      [3n, 'u3'],
      [4n, 'u4'],
    ]);
    expect([appends, stored]).toEqual([[4], [users]]);
    const long = (user: string) => make(adding(user, { isShort: false }));
    await Promise.all([long('v1'), make(adding('v2')), long('v3'), make(adding('v4')), make(adding('v5'))]);
    expect(appends).toEqual([4, 1, 1, 1, 2]);
  });

  it('do not keep others back when they are refused, have nothing to do, or take long', async () => {
    let finish = (): void => undefined;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    const all = Promise.all([
      make(adding('u1')),
      make(adding('refused', { make: () => Promise.reject(new AppError('forbidden')) })).catch(
        (error: AppError) => error.reason,
      ),
      make(adding('u1')),
      make(adding('u2')),
      make(adding('u3', { make: async (seen) => (await slow, adding('u3').make(seen)) })),
    ]);
    // The slow one is waited for when its turn comes, after the others have been recorded.
    const elsewhere = open();
    for (let count = 0; count < 2;) {
      const { state } = await elsewhere.scope(contextOf('x')).handle(team, 't1', () => []);
      count = state.status === 'active' ? state.members.size : 0;
    }
    finish();
    const [, refused, same] = await all;
    expect(refused).toBe('forbidden');
    expect(same).toMatchObject({ events: [], made: { user: 'u1' } });
    expect(stored).toEqual([['u1'], ['u2'], ['u3']]);
  });

  it('are made again on what another process has recorded, and are repeated without being made', async () => {
    const other = open();
    await other.scope(contextOf('x')).handle(team, 't1', (state) => rename(state, { title: 'b' }));
    const [first, second] = await Promise.all([make(adding('u1'), { idem: 'k' }), make(adding('u2'))]);
    expect([first.made?.title, second.made?.title]).toEqual(['b', 'b']);
    const repeated = await make(adding('u9'), { idem: 'k' });
    expect(repeated).toMatchObject({ repeated: true, events: [{ data: { user: 'u1' } }] });
    expect(repeated.made).toBeUndefined();
  });

  it('ask their precondition before they make anything, and record nothing when it cannot be prepared', async () => {
    const precondition = () => Promise.reject(new AppError('precondition_failed'));
    const never = adding('u1', { make: () => Promise.reject(new Error('made')) });
    await expect(make(never, { precondition })).rejects.toMatchObject({ reason: 'precondition_failed' });
    const broken = adding('u1', { beforeAppend: () => Promise.reject(new Error('broken')) });
    const both = await Promise.allSettled([make(broken), make(adding('u2'))]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(make(adding('u3'), { dry: true })).resolves.toMatchObject({ made: { user: 'u3' } });
    expect([appends, stored]).toEqual([[], []]);
  });

  it('are not waited for by a look at the stream', async () => {
    let finish = (): void => undefined;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    const made = make(adding('u1', { make: async (seen) => (await slow, adding('u1').make(seen)) }));
    const look = () => store.scope(contextOf('x')).handle(team, 't1', () => [], { isLook: true });
    await expect(look()).resolves.toMatchObject({ revision: 0n });
    finish();
    await made;
    await expect(look()).resolves.toMatchObject({ revision: 1n });
  });
});
