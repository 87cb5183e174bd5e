import { describe, expect, it } from '@jest/globals';
import { faultOfEventStoreAddress, faultOfMongoAddress } from './server-address.js';

describe('an address of a server', () => {
  it.each(['mongodb://db:27017', 'mongodb://u:p@db/?tls=true', 'mongodb+srv://db.example'])('%s is taken', (url) =>
    expect(faultOfMongoAddress(url)).toBeUndefined(),
  );

  it.each([
    ['mongodb://', 'Protocol and host list are required in the uri'],
    ['mongodb://db/?tsl=true', 'option tsl is not supported'],
    ['mongodb://db:port', 'Unable to parse db:port with URL'],
    ['mongodb://u:p?ss@db', 'Password contains unescaped characters'],
  ])('%s is refused in one line', (url, fault) => expect(faultOfMongoAddress(url)).toBe(fault));

  it.each(['esdb://es:2113?tls=false', 'esdb://u:p?ss=1@es:2113?tls=false', 'kurrentdb+discover://u:p@es:2113'])(
    '%s is taken',
    (url) => expect(faultOfEventStoreAddress(url)).toBeUndefined(),
  );

  it.each([
    ['esdb://', 'it has no host, or one that cannot be read'],
    ['esdb://es:port', 'expected port number'],
    ['kdb://es?tls=maybe', 'expected true or false'],
    ['esdb://u:p@es?TLS=false&tsl=false', 'option tsl is not supported'],
    ['esdb://u:p@es?tlsVerifyCert=false', 'option tlsVerifyCert is not supported'],
    ['esdb://u:%zz@127.0.0.1:1?tls=false', 'the user or the password has a % that begins no character'],
  ])('%s is refused without what it has of passwords', (url, fault) =>
    expect(faultOfEventStoreAddress(url)).toBe(fault),
  );
});
