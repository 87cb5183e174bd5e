import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  boundRequests,
  openRequest,
  openRequestsPerNetwork,
  openRequestsPerProvider,
  type SAMLRequest,
} from '../single-sign-on/saml/requests.operational.js';
import { startRig, type Rig } from '../test/rig-with-store.js';
import { specCommand, specScope } from '../test/scope.js';

describe('operational collections', () => {
  let rig: Rig;
  beforeAll(async () => void (rig = await startRig()), 60_000);
  afterAll(() => rig.stop());

  it('have their indexes before the first request', async () => {
    const wanted: Record<string, string[]> = {
      op_last_seen: ['organization_at'],
      op_sign_in_links: ['expiresAt', 'user'],
      op_sessions: ['expiresAt', 'user_createdAt'],
      op_sign_in_attempts: ['at'],
      op_saml_requests: ['expiresAt', 'network_createdAt', 'provider_createdAt'],
      op_saml_assertions: ['expiresAt'],
    };
    for (const [collection, names] of Object.entries(wanted)) {
      const present = await rig.store.database.collection(collection).listIndexes().toArray();
      expect([collection, present.map(({ name }) => String(name)).sort()]).toEqual([collection, ['_id_', ...names]]);
    }
  });

  it('keep a limited number of SAML requests for each provider and network, and drop the oldest', async () => {
    const requests = rig.store.database.collection<SAMLRequest>('op_saml_requests');
    const scope = specScope(rig.store.scope(specCommand('spec')), rig.store, rig.config.SECRET_KEYS);
    const ask = (address: string, provider = 'p') =>
      openRequest(scope, { provider, browser: 'b', user: null, address });
    const first = await ask('10.0.0.1');
    const { network } = (await requests.findOne({ _id: first })) as SAMLRequest;
    expect(network).not.toContain('10.0.0.1');
    const others = (count: number, more: Partial<SAMLRequest>, from: number) =>
      requests.insertMany(
        Array.from({ length: count }, (_, i) => ({
          _id: `${from}-${i}`,
          provider: 'p',
          browser: 'b',
          user: null,
          network: `n${i}`,
          createdAt: from + i,
          expiresAt: Date.now() + 60_000,
          ...more,
        })),
      );
    const open = (of: Partial<SAMLRequest>) => requests.countDocuments(of);
    await others(openRequestsPerNetwork + 50, { network }, 0);
    await others(1, { network: 'other' }, 1);
    // Only some new requests check the limits.
    for (let tries = 0; tries < 5_000 && (await requests.findOne({ _id: '0-0' })) !== null; tries += 1)
      await ask('10.0.0.1');
    await boundRequests(scope, { network, provider: 'p' });
    expect([
      await open({ network }),
      await open({ network: 'other' }),
      await open({ _id: '0-0' }),
      await open({ _id: first }),
    ]).toEqual([openRequestsPerNetwork, 1, 0, 1]);
    await others(openRequestsPerProvider, {}, 2);
    await others(1, { provider: 'q' }, 3);
    await boundRequests(scope, { network, provider: 'p' });
    // Requests of the same moment are dropped together.
    expect([openRequestsPerProvider, openRequestsPerProvider - 1]).toContain(await open({ provider: 'p' }));
    expect(await open({ provider: 'q' })).toBe(1);
  }, 60_000);
});
