import { describe, expect, it } from '@jest/globals';
import { startEventStoreServer } from './eventstore/index.js';
import { isLoopback } from './loopback.js';
import { startMongoServer } from './mongodb/index.js';
import { startNatsServer } from './nats/index.js';

describe('a server that asks nobody for a password', () => {
  it.each([
    ['EventStoreDB', startEventStoreServer],
    ['MongoDB', startMongoServer],
    ['NATS', startNatsServer],
  ])('listens to this machine alone: %s', async (_name, start) => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', '127.0.0.1.example.com'])
      await expect(start({ host })).rejects.toThrow(/loopback/);
  });

  it('knows the addresses of this machine', () => {
    expect(['127.0.0.1', '127.1.2.3', '::1', 'localhost'].every(isLoopback)).toBe(true);
    expect(['', '128.0.0.1', '::ffff:1.2.3.4', '127.0.0'].some(isLoopback)).toBe(false);
  });
});
