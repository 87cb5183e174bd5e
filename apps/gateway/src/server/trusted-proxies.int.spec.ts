import { afterEach, describe, expect, it } from '@jest/globals';
import { jsonAnswer, startRig, type Rig } from '../test/rig.js';

describe('the address of a client', () => {
  let rig: Rig;
  afterEach(() => rig.stop());

  /** The address that a service is told when `X-Forwarded-For` is sent from 127.0.0.1. */
  async function addressFor(trustProxy: number | string[], forwarded: string): Promise<string | undefined> {
    rig = await startRig({ config: { trustProxy } });
    let address: string | undefined;
    rig.stub.on['sendSignInLink'] = ({ headers }) => {
      address = headers['client-address'];
      return jsonAnswer({});
    };
    await rig.call('POST', '/v1/auth/email-link', {
      token: null,
      body: { email: 'ann@example.org' },
      headers: { 'x-forwarded-for': forwarded, origin: 'http://docs.test' },
    });
    return address;
  }

  it.each([
    [0, '10.0.0.1', '127.0.0.1'],
    [1, 'spoofed, 192.0.2.7', '192.0.2.7'],
    [1, '198.51.100.1, 192.0.2.7', '192.0.2.7'],
    [2, '198.51.100.1, 192.0.2.7, 10.0.0.1', '192.0.2.7'],
    [['127.0.0.0/8'], '198.51.100.1, 192.0.2.7', '192.0.2.7'],
    [['127.0.0.0/8', '10.0.0.0/8'], '198.51.100.1, 192.0.2.7, 10.0.0.1', '192.0.2.7'],
    [['10.0.0.0/8'], '192.0.2.7', '127.0.0.1'],
    [1, '192.0.2.7:50123', '192.0.2.7'],
    [1, '[2001:db8::7]:50123', '2001:db8::7'],
    [1, 'not an address', '127.0.0.1'],
  ])('behind the proxies %j with X-Forwarded-For "%s" is %s', async (trustProxy, forwarded, expected) => {
    expect(await addressFor(trustProxy, forwarded)).toBe(expected);
  });
});
