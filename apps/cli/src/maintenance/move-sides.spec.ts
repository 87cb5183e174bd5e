import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '@scriptorium/platform/config';
import { StopError } from '../stop-error.js';
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
  ])('are refused when they are $urls', ({ urls }) => {
    expect(() => serversOf(urls, '--to', {})).toThrow(/^--to takes one address that begins with esdb:/);
  });

  it.each([
    [[eventstore, 'mongodb://db/?tsl=true'], '--from: the address of MongoDB is wrong: option tsl is not supported'],
    [['esdb://es:port', mongodb], '--from: the address of EventStoreDB is wrong: expected port number'],
    [
      [eventstore, mongodb, 'nats://nats:port'],
      '--from: the address of NATS is wrong: it has no host, or one that cannot be read',
    ],
  ])('are refused with what is wrong with an address of %j', (urls, message) => {
    expect(() => serversOf(urls, '--from', {})).toThrow(new StopError(message));
  });

  it('are refused with the settings that are missing', () => {
    expect(() => serversOf(true, '--to', { EVENTSTORE_URL: eventstore })).toThrow(
      new ConfigError('--to without addresses needs EVENTSTORE_URL and MONGODB_URL'),
    );
  });

  it('are refused by the name of the setting that has a wrong address', () => {
    const settings = { EVENTSTORE_URL: eventstore, MONGODB_URL: 'mongodb://' };
    expect(() => serversOf(true, '--to', settings)).toThrow(
      new ConfigError('MONGODB_URL: Protocol and host list are required in the uri'),
    );
  });
});
