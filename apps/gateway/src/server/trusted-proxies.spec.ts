import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../config.js';

const SECRET_KEYS = ['k1', 'reservation'].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join();
const read = (value: string) => readConfig({ SECRET_KEYS, NATS_URL: 'nats://n', TRUST_PROXY: value }).trustProxy;

describe('TRUST_PROXY', () => {
  it.each([
    ['', 0],
    ['false', 0],
    ['0', 0],
    ['2', 2],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['127.0.0.1, ::1,fd00::/8', ['127.0.0.1', '::1', 'fd00::/8']],
  ])('accepts a number of proxies, or addresses and networks: "%s"', (value, expected) => {
    expect(read(value)).toEqual(expected);
  });

  it('refuses to trust every proxy, and says what to set', () => {
    expect(() => read('true')).toThrow(
      /^TRUST_PROXY: "true" would accept any address in X-Forwarded-For; .*number of proxies .*addresses and networks/,
    );
  });

  it.each([
    ['yes'],
    ['-1'],
    ['1.5'],
    ['33'],
    ['proxy.internal'],
    ['10.0.0.0/33'],
    ['::1/129'],
    ['10.0.0.1,2'],
    ['10.0.0.0/'],
  ])('refuses "%s"', (value) => {
    expect(() => read(value)).toThrow(/^TRUST_PROXY: /);
  });
});
