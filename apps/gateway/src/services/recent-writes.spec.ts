import { beforeEach, describe, expect, it } from '@jest/globals';
import { parseTypes } from '@scriptorium/contracts';
import { createRecentWrites, type RecentWrites } from './client.js';

let now: number;
let writes: RecentWrites;
beforeEach(() => {
  now = 0;
  writes = createRecentWrites(() => now);
});
const record = (types: string, service = 'identity', token = 't1') => writes.record(token, service, { types });
const sentTo = (service: string, token = 't1') => writes.headersFor(token, service)['after-types'];

describe('recent writes', () => {
  it('are sent to other services', () => {
    record('TeamRenamed=50,MemberJoined=51');
    expect(sentTo('content')).toBe('TeamRenamed=50,MemberJoined=51');
    expect(sentTo('identity')).toBeUndefined();
  });

  it('are those of one token', () => {
    record('TeamRenamed=50');
    expect(sentTo('content', 't2')).toBeUndefined();
    writes.record(undefined, 'identity', { types: 'TeamRenamed=50' });
    expect(writes.headersFor(undefined, 'content')).toEqual({});
  });

  it('of several services are joined, each type with its last position', () => {
    record('MemberJoined=10,TeamRenamed=11');
    record('SpaceCreated=20', 'content');
    record('MemberJoined=30');
    record('MemberJoined=25');
    expect([...parseTypes(sentTo('sites'))]).toEqual([
      ['TeamRenamed', 11n],
      ['SpaceCreated', 20n],
      ['MemberJoined', 30n],
    ]);
    expect([...parseTypes(sentTo('content')).keys()]).toEqual(['TeamRenamed', 'MemberJoined']);
  });

  it('are forgotten after 10 s', () => {
    record('TeamRenamed=50');
    now = 9_999;
    expect(sentTo('content')).toBe('TeamRenamed=50');
    now = 10_000;
    expect(sentTo('content')).toBeUndefined();
  });

  it('have at most 64 types, the latest ones', () => {
    record(Array.from({ length: 100 }, (_, n) => `Type${n}=${n}`).join());
    const types = [...parseTypes(sentTo('content')).keys()];
    expect([types.length, types[0], types.at(-1)]).toEqual([64, 'Type36', 'Type99']);
  });

  it('are those of at most 10,000 tokens', () => {
    for (let n = 0; n <= 10_000; n += 1) record('TeamRenamed=50', 'identity', `token${n}`);
    expect([sentTo('content', 'token0'), sentTo('content', 'token1')]).toEqual([undefined, 'TeamRenamed=50']);
  });

  it('ignore answers without types, and malformed ones', () => {
    writes.record('t1', 'identity', { position: '50' });
    record('x');
    expect(sentTo('content')).toBeUndefined();
  });
});
