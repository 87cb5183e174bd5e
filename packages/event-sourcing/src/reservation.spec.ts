import { describe, it } from '@jest/globals';
import { type ReservationEvent, claim, confirm, release, reservationOf, settle } from './reservation.js';
import { given } from './testing.js';

const aggregate = reservationOf('identity');
const mine = { kind: 'subdomain', owner: 'o1' };
const theirs = { kind: 'subdomain', owner: 'o2' };
const claimed = { type: 'ReservationClaimed', data: mine } as const satisfies ReservationEvent;
const confirmed = { type: 'ReservationConfirmed', data: mine } as const satisfies ReservationEvent;
const released = { type: 'ReservationReleased', data: mine } as const satisfies ReservationEvent;
const [time, soon, late] = ['2020-01-01T00:00:00.000Z', Date.UTC(2020, 0, 1, 0, 0, 29), Date.UTC(2020, 0, 1, 0, 0, 30)];

describe('a reservation', () => {
  it('goes to the first who claims it', () => {
    given(aggregate, []).when((state) => claim(state, { ...mine, now: soon })).then([claimed]);
    given(aggregate, [claimed]).when((state) => claim(state, { ...theirs, now: soon })).thenFails('already_exists');
    given(aggregate, [claimed, confirmed]).when((state) => claim(state, { ...theirs, now: late, settled: 'not_held' })).thenFails('already_exists');
  });

  it('is nothing to do for whoever has it', () => {
    given(aggregate, [claimed]).when((state) => claim(state, { ...mine, now: soon })).then([]);
    given(aggregate, [claimed, confirmed]).when((state) => claim(state, { ...mine, now: soon })).then([]);
    given(aggregate, [claimed, confirmed]).when((state) => confirm(state, mine)).then([]);
  });

  it('is free again after release', () => {
    given(aggregate, [claimed, confirmed]).when((state) => release(state, mine)).then([released]);
    given(aggregate, [claimed, confirmed]).when((state) => release(state, theirs)).then([]);
    given(aggregate, [claimed, confirmed, released]).when((state) => claim(state, { ...theirs, now: soon })).then([{ type: 'ReservationClaimed', data: theirs }]);
  });

  it('is settled by the owner’s stream when the claim is half a minute old', () => {
    const meta = { time };
    given(aggregate, [claimed], meta).when((state) => claim(state, { ...theirs, now: soon, settled: 'not_held' })).thenFails('already_exists');
    given(aggregate, [claimed], meta).when((state) => claim(state, { ...theirs, now: late, settled: 'not_held' })).then([released, { type: 'ReservationClaimed', data: theirs }]);
    given(aggregate, [claimed], meta).when((state) => claim(state, { ...theirs, now: late, settled: 'held' })).thenFails('already_exists');
    given(aggregate, [claimed], meta).when((state) => settle(state, { ...mine, now: late, settled: 'held' })).then([confirmed]);
    given(aggregate, [claimed], meta).when((state) => settle(state, { ...mine, now: late, settled: 'not_held' })).then([released]);
    given(aggregate, [claimed], meta).when((state) => settle(state, { ...mine, now: soon, settled: 'not_held' })).then([]);
  });
});
