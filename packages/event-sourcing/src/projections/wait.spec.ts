import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../process/time.js';
import { waitForTypes } from './wait.js';

/** Projections that show nothing new, and what was waited for. */
function waiting(types: Record<string, string[]>) {
  const waits: [string, bigint][] = [];
  const projections = Object.entries(types).map(([collection, some]) => ({ collection, types: new Set(some) }));
  const progress = {
    wait: ([name = '']: readonly string[], position: bigint) => {
      waits.push([name, position]);
      return Promise.resolve(true);
    },
  };
  return { parts: { projections, progress, metrics: {}, clock: systemClock, ownTypes: ['ReservationClaimed'] }, waits };
}

describe('what was recorded in another service', () => {
  it('is waited for by projections that consume it; events of reservations are not, since each service has its own', async () => {
    const { parts, waits } = waiting({ membership: ['MemberJoined'], reservation_open: ['ReservationClaimed'] });
    const positions = new Map([
      ['MemberJoined', 5n],
      ['ReservationClaimed', 9n],
      ['UserRegistered', 11n],
    ]);
    await waitForTypes(parts, positions, Date.now() + 1_000);
    expect(waits).toEqual([['membership', 5n]]);
  });
});
