import { describe, expect, it } from '@jest/globals';
import { serversOf } from './move-sides.js';

const [eventstore, mongodb] = ['esdb://es:2113?tls=false', 'mongodb://db:27017'];

describe('the real servers of a move', () => {
  it('are named in any order, with or without NATS', () => {
    expect(serversOf([mongodb, eventstore], '--to', {})).toEqual({ eventstore, mongodb });
    expect(serversOf([mongodb, 'nats://nats:4222', eventstore], '--to', {})).toEqual({ eventstore, mongodb });
  });

  it('are those of the environment when the option has none', () => {
    const environment = { EVENTSTORE_URL: eventstore, MONGODB_URL: mongodb };
    expect(serversOf(true, '--from', environment)).toEqual({ eventstore, mongodb });
  });

  it.each([
    { urls: [eventstore] },
    { urls: [mongodb] },
    { urls: [eventstore, mongodb, mongodb] },
    { urls: [eventstore, mongodb, 'http://other'] },
    { urls: true as const },
  ])('are refused when they are $urls', ({ urls }) => {
    expect(() => serversOf(urls, '--to', {})).toThrow(/^--to takes one address that begins with esdb:/);
  });
});
