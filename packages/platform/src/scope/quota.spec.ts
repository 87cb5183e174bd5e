import { limitPresets } from '@scriptorium/contracts';
import { describe, expect, it } from '@jest/globals';
import { createQuotas } from './quota.js';

/** Things that are counted only some time after they were made, as in a read model. */
function things(limit: number, present = 0) {
  const quotas = createQuotas({ ...limitPresets, teamsPerOrganization: limit });
  const shown = new Set(Array.from({ length: present }, (_, i) => `old${i}`));
  let atOnce = 0;
  let most = 0;
  const later = () => new Promise<void>((resolve) => setImmediate(resolve));
  const make = (
    names: string[],
    more: { of?: string; made?: () => Promise<boolean>; work?: () => Promise<void> } = {},
  ) =>
    quotas.within(
      {
        limit: 'teamsPerOrganization',
        of: more.of ?? 'o',
        most: names.length,
        look: async () => {
          await later();
          return { present: shown.size, more: names.filter((name) => !shown.has(name)).length };
        },
        ...(more.made === undefined ? {} : { made: more.made }),
      },
      more.work ??
        (async () => {
          most = Math.max(most, (atOnce += 1));
          await later();
          await later();
          for (const name of names) shown.add(name);
          atOnce -= 1;
        }),
    );
  return { make, shown, most: () => most };
}

const outcomes = async (runs: Promise<unknown>[]) =>
  (await Promise.allSettled(runs)).map((run) =>
    run.status === 'fulfilled' ? 'made' : (run.reason as { reason: string }).reason,
  );
const count = (all: string[], wanted: string) => all.filter((each) => each === wanted).length;

describe('a quota', () => {
  it.each([
    [20, 3, 0],
    [20, 10, 8],
    [300, 150, 20],
  ])(
    'of %i concurrent requests and a limit of %i accepts no more than the limit, with %i present',
    async (asking, limit, present) => {
      const { make, shown } = things(limit, present);
      const all = await outcomes(Array.from({ length: asking }, (_, i) => make([`new${i}`])));
      expect([shown.size, count(all, 'made'), count(all, 'limit_reached')]).toEqual([
        limit,
        limit - present,
        asking - limit + present,
      ]);
    },
  );

  it('delays no request far from the limit', async () => {
    const { make, most } = things(1_000, 800);
    await outcomes(Array.from({ length: 100 }, (_, i) => make([`new${i}`])));
    expect(most()).toBe(100);
  });

  it('is counted separately for each object', async () => {
    const { make } = things(1);
    expect(await outcomes([make(['a'], { of: 'p' }), make(['a'], { of: 'q', work: () => Promise.resolve() })])).toEqual(
      ['made', 'made'],
    );
  });

  it('refuses no request that creates what another has just created, or nothing', async () => {
    const { make } = things(3, 2);
    expect(await outcomes(Array.from({ length: 5 }, () => make(['same'])))).toEqual(Array(5).fill('made'));
    expect(await outcomes([make(['same']), make([]), make(['other'])])).toEqual(['made', 'made', 'limit_reached']);
  });

  it('refuses no repeated request', async () => {
    const { make } = things(1, 1);
    expect(
      await outcomes([
        make(['x'], { made: () => Promise.resolve(true) }),
        make(['y'], { made: () => Promise.resolve(false) }),
      ]),
    ).toEqual(['made', 'limit_reached']);
  });

  it('is freed by requests that fail', async () => {
    const { make, shown } = things(1);
    const failing = make(['a'], { work: () => Promise.reject(new Error('no')) });
    const all = await Promise.allSettled([failing, make(['b'])]);
    expect([all.map(({ status }) => status), [...shown]]).toEqual([['rejected', 'fulfilled'], ['b']]);
  });

  it('has a limited number of waiting requests', async () => {
    const { make } = things(1_001, 1);
    const all = await outcomes(Array.from({ length: 1_700 }, (_, i) => make([`${i}a`, `${i}b`])));
    expect(count(all, 'unavailable')).toBeGreaterThan(0);
  });
});
