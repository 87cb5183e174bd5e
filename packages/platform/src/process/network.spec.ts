import { describe, expect, it } from '@jest/globals';
import { networkOf } from './network.js';

describe('the network of', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.9', '::ffff:10.0.0.9'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:0DB8:0:0:ffff::2', '2001:db8:0:0'],
    ['2001:db8:0:1::1', '2001:db8:0:1'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4'],
    ['::1', '0:0:0:0'],
    ['fe80::1%br-lan', 'fe80:0:0:0'],
    ['fe80::1%wlan0:1', 'fe80:0:0:0'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
