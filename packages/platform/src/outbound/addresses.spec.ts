import { describe, expect, it } from '@jest/globals';
import { addressRule, parseNetworks } from './addresses.js';

const refused = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'public.example',
  '',
];
const public_ = ['8.8.8.8', '93.184.215.14', '172.32.0.1', '192.0.1.1', '2606:4700:4700::1111', '2a00:1450::1'];

describe('addresses for outgoing requests', () => {
  const isAllowed = addressRule(parseNetworks(''));

  it.each(refused)('are refused when they are not public, such as %s', (address) => {
    expect(isAllowed(address)).toBe(false);
  });

  it.each(public_)('are accepted when they are public, such as %s', (address) => {
    expect(isAllowed(address)).toBe(true);
  });

  it('are also accepted in networks that the installation allows, and in no others', () => {
    const rule = addressRule(parseNetworks(' 10.1.0.0/16, 192.168.7.9 ,fd00:7::/32,'));
    expect(['10.1.2.3', '192.168.7.9', 'fd00:7::1'].every(rule)).toBe(true);
    expect(['10.2.0.1', '192.168.7.8', 'fd00:8::1', '127.0.0.1'].some(rule)).toBe(false);
  });
});

describe('the setting of allowed networks', () => {
  it.each(['10.0.0.0/33', 'fd00::/129', '10.0.0/8', 'internal.example', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0.0/x'])(
    'refuses %s',
    (text) => {
      expect(() => parseNetworks(text)).toThrow('is not a network');
    },
  );
});
