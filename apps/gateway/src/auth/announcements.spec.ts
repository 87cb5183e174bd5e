import { beforeEach, describe, expect, it } from '@jest/globals';
import { followAnnouncements, type Announcements } from './announcements.js';

let now: number;
let log: string[];
let followed: Announcements;
beforeEach(() => {
  now = 0;
  log = [];
  const listener = {
    changed: (users: readonly string[]) => log.push(`changed ${users.join()}`),
    lost: () => log.push('lost'),
  };
  followed = followAnnouncements(listener, () => now);
});

const tell = (epoch: string, sequence: number, users: string[] = []): void => {
  followed.receive(Buffer.from(JSON.stringify({ epoch, sequence, users })));
};

describe('following announcements', () => {
  it('is fresh from the first announcement on', () => {
    expect(followed.fresh()).toBe(false);
    tell('a', 7);
    expect([followed.fresh(), log]).toEqual([true, ['lost']]);
  });

  it('reports changed users while the sequence has no gap', () => {
    tell('a', 1);
    tell('a', 2, ['u1', 'u2']);
    tell('a', 3);
    expect(log).toEqual(['lost', 'changed u1,u2']);
  });

  it.each([
    ['a gap', () => tell('a', 3)],
    ['a repetition', () => tell('a', 1)],
    ['a new epoch', () => tell('b', 1)],
    ['bytes that are not JSON', () => followed.receive(Buffer.from('{'))],
    ['a message of another shape', () => followed.receive(Buffer.from('{"epoch":"a","sequence":"2","users":[]}'))],
  ])('reports a loss after %s', (_, happens) => {
    tell('a', 1);
    log = [];
    happens();
    expect(log).toEqual(['lost']);
  });

  it('is fresh for less than 750 ms without an announcement, then reports one loss', () => {
    tell('a', 1);
    log = [];
    now = 749;
    expect([followed.fresh(), log]).toEqual([true, []]);
    now = 750;
    expect([followed.fresh(), followed.fresh(), log]).toEqual([false, false, ['lost']]);
  });

  it('treats an announcer that was silent for too long as a new one', () => {
    tell('a', 1);
    now = 800;
    followed.fresh();
    log = [];
    tell('a', 2);
    expect([followed.fresh(), log]).toEqual([true, ['lost']]);
  });

  it('is fresh only if every announcer was heard, and forgets one that is gone', () => {
    tell('a', 1);
    tell('b', 1);
    now = 700;
    tell('b', 2);
    now = 760;
    log = [];
    expect([followed.fresh(), log]).toEqual([true, ['lost']]);
    now = 1_200;
    expect(followed.fresh()).toBe(true);
  });

  it('follows at most 64 announcers', () => {
    for (let i = 0; i < 1_000; i += 1) tell(`epoch${i}`, 1);
    expect(followed.fresh()).toBe(true);
  });
});
