import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lookupMembers, memberReferenceId, wireHeader, type Principal } from '@scriptorium/contracts';
import { connectMessaging, type Messaging } from '@scriptorium/messaging';
import { parseKeyring } from '@scriptorium/platform/keyring';
import { signPrincipal } from '@scriptorium/platform/signed-principal';
import { startRig, type Person, type Rig } from '../../test/rig.js';

describe('members that another service looks up', () => {
  let rig: Rig;
  let messaging: Messaging;
  let ann: Person;
  let gus: Person;
  beforeAll(async () => {
    rig = await startRig();
    ann = await rig.member('Ann Reader', 'read');
    gus = await rig.member('Gus Guest', null);
    const { NATS_URL: url, NAMESPACE: namespace } = rig.config;
    messaging = await connectMessaging({ url, name: 'test', namespace });
  }, 60_000);
  afterAll(async () => {
    await messaging.close();
    await rig.stop();
  });

  /** The references and names of the members that a caller gets. */
  async function found(caller: Principal | null, refs: string[]): Promise<[string | undefined, string][]> {
    const keys = parseKeyring(rig.config.SECRET_KEYS);
    const { body } = await messaging.client().request({
      service: 'identity',
      operation: lookupMembers.id,
      body: Buffer.from(JSON.stringify({ ids: refs })),
      headers: caller === null ? {} : { [wireHeader.principal]: signPrincipal(keys, caller, Date.now()) },
      timeoutMs: 10_000,
    });
    const answer = lookupMembers.response.parse(JSON.parse(Buffer.from(body).toString('utf8')));
    return answer.items.map(({ user }, index) => [answer.refs[index], user.displayName]);
  }
  const callerOf = ({ id }: Person, scopes?: Principal['token']['scopes']): Principal => ({
    kind: 'user',
    id,
    operator: false,
    token: { id: 't', kind: 'personal', ...(scopes === undefined ? {} : { scopes }) },
  });
  const refOf = ({ id }: Person) => memberReferenceId(rig.organization, id);

  it('are found by organization and user, and unknown references are left out', async () => {
    const unknown = [memberReferenceId(rig.organization, 'nobody'), memberReferenceId('nowhere', ann.id), 'x'];
    expect(await found(callerOf(ann), [refOf(gus), ...unknown, refOf(ann)])).toEqual([
      [refOf(gus), 'Gus Guest'],
      [refOf(ann), 'Ann Reader'],
    ]);
  });

  it('are limited to those that the caller may see', async () => {
    const refs = [refOf(gus), refOf(ann)];
    expect(await found(callerOf(gus), refs)).toEqual([[refOf(gus), 'Gus Guest']]);
    expect(await found(callerOf(await rig.person('Olaf Outside')), refs)).toEqual([]);
    expect(await found(callerOf(ann, ['user:read']), refs)).toEqual([]);
    expect(await found(null, refs)).toEqual([]);
  });
});
