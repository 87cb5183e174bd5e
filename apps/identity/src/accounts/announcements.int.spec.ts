import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { principalChanges, type PrincipalChange } from '@scriptorium/contracts';
import { connectMessaging, type Messaging } from '@scriptorium/messaging';
import { eventually, startRig, type Rig } from '../test/rig.js';

describe('the announcements of identity', () => {
  let rig: Rig;
  let messaging: Messaging;
  const received: PrincipalChange[] = [];

  beforeAll(async () => {
    rig = await startRig();
    messaging = await connectMessaging({ url: rig.config.NATS_URL, name: 'spec', namespace: rig.config.NAMESPACE });
    await messaging.subscribe(principalChanges, (body) => {
      received.push(JSON.parse(new TextDecoder().decode(body)) as PrincipalChange);
    });
  }, 60_000);
  afterAll(async () => {
    await messaging.close();
    await rig.stop();
  });

  const latest = (entity: string): bigint =>
    received.reduce((most, { recorded = {} }) => {
      const position = BigInt(recorded[entity] ?? -1);
      return position > most ? position : most;
    }, -1n);

  it('name the position of an event that affects access before its request is answered, and repeat it with each heartbeat', async () => {
    const ann = await rig.person('Ann Announced');
    const answer = await rig.send('POST', `/orgs/${rig.organization}/invites`, { body: { emails: [ann.email] } });
    const position = BigInt(answer.headers.get('scriptorium-position') ?? -1);
    expect(position).toBeGreaterThan(0n);
    // The message was sent before the answer, on another connection: it may arrive a moment later.
    await eventually(() => latest('identity.roster') >= position);
    const count = received.length;
    await eventually(() => received.length > count + 2);
    expect(received.at(-1)?.recorded).toMatchObject({ 'identity.roster': String(latest('identity.roster')) });
  });

  it('name no positions of streams that do not affect access', () => {
    expect(latest('identity.user')).toBe(-1n);
    expect(latest('identity.credentials')).toBe(-1n);
  });
});
