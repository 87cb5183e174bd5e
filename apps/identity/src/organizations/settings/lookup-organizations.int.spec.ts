import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lookupOrganizations, wireHeader, type Principal } from '@scriptorium/contracts';
import { connectMessaging, type Messaging } from '@scriptorium/messaging';
import { parseKeyring } from '@scriptorium/platform/keyring';
import { signPrincipal } from '@scriptorium/platform/signed-principal';
import { startRig, type Person, type Rig } from '../../test/rig.js';

describe('organizations that another service looks up', () => {
  let rig: Rig;
  let messaging: Messaging;
  let ann: Person;
  beforeAll(async () => {
    rig = await startRig();
    ann = await rig.member('Ann Reader', 'read');
    const { NATS_URL: url, NAMESPACE: namespace } = rig.config;
    messaging = await connectMessaging({ url, name: 'test', namespace });
  }, 60_000);
  afterAll(async () => {
    await messaging.close();
    await rig.stop();
  });

  async function found(caller: Principal | null, ids: string[]) {
    const keys = parseKeyring(rig.config.SECRET_KEYS);
    const { body } = await messaging.client().request({
      service: 'identity',
      operation: lookupOrganizations.id,
      body: Buffer.from(JSON.stringify({ ids })),
      headers: caller === null ? {} : { [wireHeader.principal]: signPrincipal(keys, caller, Date.now()) },
      timeoutMs: 10_000,
    });
    return lookupOrganizations.response.parse(JSON.parse(Buffer.from(body).toString('utf8'))).items;
  }
  const callerOf = ({ id }: Person, scopes?: Principal['token']['scopes']): Principal => ({
    kind: 'user',
    id,
    operator: false,
    token: { id: 't', kind: 'personal', ...(scopes === undefined ? {} : { scopes }) },
  });

  it('are as their members see them', async () => {
    const { body } = await rig.send('GET', `/orgs/${rig.organization}`, { token: ann.token });
    expect(await found(callerOf(ann), [rig.organization, 'nowhere', rig.organization])).toEqual([body]);
  });

  it('are left out for everybody else, and for tokens that may not read them', async () => {
    const ids = [rig.organization];
    expect(await found(callerOf(await rig.person('Olaf Outside')), ids)).toEqual([]);
    expect(await found(callerOf(ann, ['user:read']), ids)).toEqual([]);
    expect(await found(null, ids)).toEqual([]);
  });
});
