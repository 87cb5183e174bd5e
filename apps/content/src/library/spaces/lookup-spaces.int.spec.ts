import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lookupSpaces, wireHeader, type Principal, type Scope } from '@scriptorium/contracts';
import { connectMessaging, type Messaging } from '@scriptorium/messaging';
import { parseKeyring } from '@scriptorium/platform/keyring';
import { signPrincipal } from '@scriptorium/platform/signed-principal';
import { eventually, startRig, type Person, type Rig } from '../../test/rig.js';

describe('spaces for answers of other services', () => {
  let rig: Rig;
  let messaging: Messaging;
  beforeAll(async () => {
    rig = await startRig();
    const { NATS_URL: url, NAMESPACE: namespace } = rig.config;
    messaging = await connectMessaging({ url, name: 'spec', namespace });
  }, 60_000);
  afterAll(async () => {
    await messaging.close();
    await rig.stop();
  });

  /** Asks as the gateway does. */
  const lookup = async (ids: string[], caller?: Person, scopes?: Scope[]) => {
    const { SECRET_KEYS: keys } = rig.config;
    const principal: Principal | undefined = caller && {
      kind: 'user',
      id: caller.id,
      token: { id: 't', kind: 'personal', ...(scopes === undefined ? {} : { scopes }) },
      operator: false,
    };
    const { body } = await messaging.client().request({
      service: 'content',
      operation: lookupSpaces.id,
      body: Buffer.from(JSON.stringify({ ids })),
      headers:
        principal === undefined
          ? {}
          : { [wireHeader.principal]: signPrincipal(parseKeyring(keys), principal, Date.now()) },
      timeoutMs: 5_000,
    });
    return lookupSpaces.response.parse(JSON.parse(new TextDecoder().decode(body))).items;
  };

  it('are those that the caller may view, as they would see them', async () => {
    const make = async (title: string) =>
      String((await rig.send('POST', `/orgs/${rig.organization}/spaces`, { body: { title } })).body['id']);
    const [open, closed, deleted] = [await make('Open'), await make('Closed'), await make('Deleted')];
    await rig.send('PATCH', `/spaces/${closed}`, { body: { defaultLevel: null } });
    await rig.send('DELETE', `/spaces/${deleted}`);
    const reader = await rig.member('Rea Der', 'read');
    const ids = [open, closed, deleted, 'unknown', open];
    expect((await lookup(ids, rig.owner)).map(({ title }) => title).sort()).toEqual(['Closed', 'Open']);
    // Content hears of a new member a moment later, and nobody here waits for it as the gateway does.
    await eventually(async () => (await lookup([open], reader)).length > 0);
    const [seen, ...more] = await lookup(ids, reader);
    expect([more, seen?.id, seen?.permissions.admin]).toEqual([[], open, false]);
    expect(await lookup(ids, await rig.person('Stran Ger'))).toEqual([]);
    expect(await lookup(ids)).toEqual([]);
    expect(await lookup([open], reader, ['site:read'])).toEqual([]);
    expect((await lookup([open], reader, ['site:read', 'space:read'])).length).toBe(1);
  });
});
