import { describe, expect, it } from '@jest/globals';
import { isLocalApi, requireTunnelAddress, tunnelTarget } from './tunnel-address.js';

describe('the address of a developer', () => {
  it('has https, or is a port of this machine where the API is reached here alone', () => {
    for (const isLocal of [true, false])
      expect(() => requireTunnelAddress('https://a.tunnel.example/x', isLocal)).not.toThrow();
    expect(() => requireTunnelAddress('http://127.0.0.1:8787', true)).not.toThrow();
    for (const [address, isLocal] of [
      ['http://127.0.0.1:8787', false],
      ['http://a.tunnel.example', true],
      ['http://localhost:8787', true],
      ['http://127.0.0.1', true],
      ['http://127.0.0.1/x', true],
      ['http://127.0.0.2:8787', true],
      ['http://[::1]:8787', true],
      ['https://user:word@a.tunnel.example', true],
      ['https://a.tunnel.example?x', true],
      ['https://a.tunnel.example#x', true],
    ] as const)
      expect(() => requireTunnelAddress(address, isLocal)).toThrow('body.tunnelUrl');
  });

  it('gets events at /v1', () => {
    expect(tunnelTarget('https://a.example')).toBe('https://a.example/v1');
    expect(tunnelTarget('https://a.example/x/')).toBe('https://a.example/x/v1');
  });

  it('may be on this machine where the API is', () => {
    expect(['http://127.0.0.1:8080/v1', 'http://localhost:1/v1', 'http://[::1]/v1'].every(isLocalApi)).toBe(true);
    expect(isLocalApi('https://docs.example/v1')).toBe(false);
  });
});
