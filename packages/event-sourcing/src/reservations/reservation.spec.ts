import { describe, it } from '@jest/globals';
import { type ReservationEvent, claim, confirm, release, reopen, reservationOf, settle } from './reservation.js';
import { given } from '../testing.js';

const aggregate = reservationOf('identity');
const mine = { kind: 'subdomain', owner: 'o1' };
const theirs = { kind: 'subdomain', owner: 'o2' };
const claimed = { type: 'ReservationClaimed', data: mine } as const satisfies ReservationEvent;
const confirmed = { type: 'ReservationConfirmed', data: mine } as const satisfies ReservationEvent;
const released = { type: 'ReservationReleased', data: mine } as const satisfies ReservationEvent;
const [time, soon, late] = ['2020-01-01T00:00:00.000Z', Date.UTC(2020, 0, 1, 0, 0, 29), Date.UTC(2020, 0, 1, 0, 0, 30)];

describe('a reservation', () => {
  const held = (claims: number) => ({ asked: { settled: 'held', claims } }) as const;
  const notHeld = (claims: number) => ({ asked: { settled: 'not_held', claims } }) as const;
  const claimedByThem = { type: 'ReservationClaimed', data: theirs } as const satisfies ReservationEvent;

  it('belongs to the first claimant', () => {
    given(aggregate, [])
      .when((state) => claim(state, { ...mine, now: soon }))
      .then([claimed]);
    given(aggregate, [claimed])
      .when((state) => claim(state, { ...theirs, now: soon }))
      .thenFails('already_exists');
    given(aggregate, [claimed, confirmed])
      .when((state) => claim(state, { ...theirs, now: late }))
      .thenFails('already_exists');
  });

  it('produces no event when the owner claims it again', () => {
    given(aggregate, [claimed, confirmed])
      .when((state) => claim(state, { ...mine, now: soon }))
      .then([]);
    given(aggregate, [claimed, confirmed])
      .when((state) => claim(state, { ...mine, now: soon, ...held(1) }))
      .then([]);
    given(aggregate, [claimed, confirmed])
      .when((state) => confirm(state, mine))
      .then([]);
  });

  it('is claimed again by an owner whose stream does not show it, so that it is not settled in the meantime', () => {
    given(aggregate, [claimed])
      .when((state) => claim(state, { ...mine, now: soon }))
      .then([claimed]);
    given(aggregate, [claimed, confirmed])
      .when((state) => claim(state, { ...mine, now: soon, ...notHeld(1) }))
      .then([claimed]);
  });

  it('is free after its release', () => {
    given(aggregate, [claimed, confirmed])
      .when((state) => release(state, mine))
      .then([released]);
    given(aggregate, [claimed, confirmed])
      .when((state) => release(state, theirs))
      .then([]);
    given(aggregate, [claimed, confirmed, released])
      .when((state) => claim(state, { ...theirs, now: soon }))
      .then([claimedByThem]);
  });

  it('is an open claim while its owner changes to another value', () => {
    given(aggregate, [claimed, confirmed])
      .when((state) => reopen(state, mine))
      .then([claimed]);
    given(aggregate, [claimed, confirmed])
      .when((state) => reopen(state, theirs))
      .then([]);
    given(aggregate, [claimed])
      .when((state) => reopen(state, mine))
      .then([]);
  });

  it('is settled by the owner’s stream when its claim is half a minute old', () => {
    const open = given(aggregate, [claimed], { time });
    open.when((state) => claim(state, { ...theirs, now: soon, ...notHeld(1) })).thenFails('already_exists');
    open.when((state) => claim(state, { ...theirs, now: late, ...notHeld(1) })).then([released, claimedByThem]);
    open.when((state) => claim(state, { ...theirs, now: late, ...held(1) })).thenFails('already_exists');
    open.when((state) => settle(state, { ...mine, now: late, ...held(1) })).then([confirmed]);
    open.when((state) => settle(state, { ...mine, now: late, ...notHeld(1) })).then([released]);
    open.when((state) => settle(state, { ...mine, now: soon, ...notHeld(1) })).then([]);
  });

  it('is not settled by an answer about an earlier claim', () => {
    const again = given(aggregate, [claimed, released, claimed], { time });
    again.when((state) => claim(state, { ...theirs, now: late, ...notHeld(1) })).thenFails('already_exists');
    again.when((state) => settle(state, { ...mine, now: late, ...notHeld(1) })).then([]);
  });

  it('becomes an open claim when the owner’s stream does not show it', () => {
    const kept = given(aggregate, [claimed, confirmed], { time });
    kept.when((state) => settle(state, { ...mine, now: late, ...notHeld(1) })).then([claimed]);
    kept.when((state) => settle(state, { ...mine, now: late, ...held(1) })).then([]);
    kept.when((state) => claim(state, { ...theirs, now: late, ...notHeld(1) })).thenFails('already_exists');
  });
});
