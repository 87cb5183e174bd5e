import { parseKeyring } from '@scriptorium/platform/keyring';

/** The keyring of gateway and services in specs. */
export const secretKeys = ['k1', 'reservation']
  .map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`)
  .join(',');

/** Settings of the gateway in specs: no rates, and a free port. */
export const gatewayDefaults = {
  host: '127.0.0.1',
  port: 0,
  publicUrl: 'https://docs.example',
  namespace: 'scriptorium',
  version: 'test',
  build: 'test',
  corsOrigins: [],
  rates: { ordinary: 0, search: 0, 'content-write': 0, 'spec-write': 0, pdf: 0, anonymous: 0, files: 0 },
  streams: { most: 1_000, mostOfToken: 100, heartbeatMs: 15_000, stallMs: 30_000 },
  files: { port: 0, origin: 'http://files.example', mostTransfers: 100, timeoutMs: 60_000, idleTimeoutMs: 60_000 },
  endpoints: {
    port: 0,
    origin: 'http://integrations.localhost',
    hosts: ['.integrations.localhost'],
    mostRequests: 100,
  },
  trustProxy: 0,
  keys: parseKeyring(secretKeys),
  readyServices: [],
  readyFile: undefined,
  maxConnections: 10_000,
  maxBodyBytes: 256 * 1024 * 1024,
  allowedHosts: [],
  compressFromBytes: 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 65_000,
  idleTimeoutMs: 310_000,
  stopTimeoutMs: 5_000,
};
