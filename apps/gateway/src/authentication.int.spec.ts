import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { announcer, sha256, startRig, until, type Rig } from './test/rig.js';

let rig: Rig;
let identity: ReturnType<typeof announcer>;
beforeAll(async () => {
  rig = await startRig();
  identity = announcer(rig.messaging, 'first');
});
afterAll(async () => {
  identity.stop();
  await rig.stop();
});

const path = '/v1/user';
const get = async (token: string) => (await rig.call('GET', path, { token })).status;

/** Uses a token until the gateway answers from its cache. */
async function warm(token: string): Promise<void> {
  await until(async () => {
    const before = rig.stub.questions.length;
    await get(token);
    return rig.stub.questions.length === before;
  }, 'the caller is cached');
}

describe('a token', () => {
  it('is looked up once by its hash while identity sends announcements', async () => {
    const token = rig.issue();
    await warm(token);
    const asked = rig.stub.questions.length;
    for (let i = 0; i < 20; i += 1) expect(await get(token)).toBe(200);
    expect(rig.stub.questions.length).toBe(asked);
    expect(rig.stub.questions.at(-1)).toEqual({ kind: 'personal', id: token.slice(8, 16), hash: sha256(token) });
  });

  it('is refused as soon as its revocation is announced', async () => {
    const token = rig.issue({ id: 'leaver' });
    await warm(token);
    rig.stub.principals.delete(sha256(token));
    identity.tell(['leaver']);
    await until(async () => (await get(token)) === 401, 'the token is refused');
  });

  it('is looked up again after a missed announcement', async () => {
    const token = rig.issue();
    await warm(token);
    rig.stub.principals.delete(sha256(token));
    identity.skip();
    identity.tell([]);
    await until(async () => (await get(token)) === 401, 'the token is refused');
  });

  it('is not accepted from the cache when identity sends nothing and does not answer', async () => {
    const token = rig.issue();
    await warm(token);
    identity.stop();
    rig.stub.on['authenticateToken'] = () => Promise.reject(new Error('broken'));
    await until(async () => (await get(token)) === 503, 'the gateway answers unavailable');
    delete rig.stub.on['authenticateToken'];
    rig.stub.principals.delete(sha256(token));
    expect(await get(token)).toBe(401);
    identity = announcer(rig.messaging, 'second');
  });

  it('with scopes opens only the operations of its scopes', async () => {
    const token = rig.issue({ scopes: ['user:read'] });
    expect(await get(token)).toBe(200);
    const refused = await rig.call('GET', '/v1/orgs', { token });
    expect([refused.status, refused.json.error.reason]).toEqual([403, 'forbidden']);
    expect((await rig.call('GET', '/v1/user/tokens', { token })).status).toBe(403);
  });

  it('is refused from its expiry on, cached or not', async () => {
    const token = rig.issue({ expiresAt: new Date(Date.now() + 300).toISOString() });
    expect(await get(token)).toBe(200);
    await until(async () => (await get(token)) === 401, 'the token ends');
  });

  it('is never part of an answer', async () => {
    const token = rig.issue();
    for (const call of [
      await rig.call('GET', path, { token: `${token}x` }),
      await rig.call('GET', '/v1/nothing', { token }),
    ]) {
      expect(call.text).not.toContain(token);
    }
  });
});
