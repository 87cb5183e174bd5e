import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDBClient, type AllStreamResolvedEvent } from '@eventstore/db-client';
import { openWithCredentials } from '@scriptorium/event-sourcing/testing';
import type { CommandContext } from '@scriptorium/event-sourcing';
import { sized } from '@scriptorium/toolchain/proof';
import { newId, parseKeyring } from '@scriptorium/platform';
import { members } from '../../organization-read-models/member.projection.js';
import { roster } from '../roster/roster.js';
import { join } from '../roster/memberships.js';
import { organizations } from '../../organization-read-models/organization.projection.js';
import { eventually, startRig, type Rig } from '../../test/own-rig.js';
import { users } from '../../organization-read-models/user.projection.js';
import { register, user as person } from '../../accounts/users/user.js';
import { accept, invite } from './invite.js';
import { close, invitee, open } from './invitee.js';
import { pendingInvites } from './pending-invite.projection.js';
import { inviteeId } from './send-invite.process.js';

/** Names of the streams in the whole log that contain `text` in their name, a payload or metadata. */
async function streamsWith(client: EventStoreDBClient, text: string): Promise<string[]> {
  const found = new Set<string>();
  for await (const { event } of client.readAll() as AsyncIterable<AllStreamResolvedEvent>) {
    if (event !== undefined && JSON.stringify([event.streamId, event.data, event.metadata]).includes(text))
      found.add(event.streamId);
  }
  return [...found];
}

describe('pending invitations', () => {
  let rig: Rig;
  let organization: string;
  let command: CommandContext;
  beforeAll(async () => {
    rig = await startRig();
    await rig.replica();
    organization = rig.organization;
    command = { actor: { kind: 'system', id: 'spec' }, organization, operation: 'spec', correlation: 'spec' };
  }, 60_000);
  afterAll(() => rig.stop());

  const send = (email: string, role = 'read') =>
    rig.send('POST', `/orgs/${organization}/invites`, { body: { emails: [email], role } });
  const signUp = async (email: string): Promise<string> =>
    String(
      (await rig.send('POST', '/users', { body: { email, displayName: 'Somebody', emailVerified: true } })).body['id'],
    );
  const member = (id: string) => rig.send('GET', `/orgs/${organization}/members/${id}`);
  const pending = async (email: string): Promise<string[]> =>
    (await rig.store.collection(pendingInvites).find({ email }).toArray()).map(({ _id }) => _id);
  const only = async (email: string): Promise<string> => String((await pending(email))[0]);
  const streamIdOf = (email: string) =>
    inviteeId({ keys: parseKeyring(rig.config.SECRET_KEYS) }, { organization, email });
  const openFor = async (email: string) => (await rig.store.load(invitee, streamIdOf(email))).invite;
  const isOver = (email: string, id: string) => async () =>
    (await pending(email)).length === 0 &&
    (await openFor(email)) === null &&
    (await rig.store.load(invite, id)).status === 'absent';

  it('are a single one for an address that many invite at the same time', async () => {
    const email = 'wanted@example.org';
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(email)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await pending(email)).toEqual([await openFor(email)]);
    const id = await signUp(email);
    await eventually(async () => (await member(id)).status === 200);
  });

  it('end in a membership when the person registers at the same moment', async () => {
    const emails = Array.from({ length: sized(10, 30) }, (_, i) => `moment${i}@example.org`);
    const ids = await Promise.all(emails.map(async (email) => (await Promise.all([signUp(email), send(email)]))[0]));
    for (const [i, id] of ids.entries()) {
      await eventually(async () => (await member(id)).status === 200);
      await eventually(
        async () => (await pending(emails[i] ?? '')).length === 0 && (await openFor(emails[i] ?? '')) === null,
      );
    }
  }, 60_000);

  it('have the terms of the last request', async () => {
    await send('again@example.org', 'read');
    const first = await only('again@example.org');
    await send('again@example.org', 'edit');
    expect(await pending('again@example.org')).toEqual([first]);
    const id = await signUp('again@example.org');
    await eventually(async () => (await member(id)).body['role'] === 'edit');
  });

  it('are not changed by a repeated request whose own invitation is over', async () => {
    const email = 'repeated@example.org';
    const once = () =>
      rig.send('POST', `/orgs/${organization}/invites`, {
        body: { emails: [email], role: 'edit' },
        headers: { 'idempotency-key': 'invite-once' },
      });
    await once();
    const first = await only(email);
    await rig.store.scope(command).handle(invite, first, (state) => accept(state, { user: 'somebody' }));
    await eventually(isOver(email, first));
    await send(email, 'read');
    const second = await only(email);
    expect((await once()).status).toBe(200);
    expect(await rig.store.collection(pendingInvites).find({ email }).toArray()).toMatchObject([
      { _id: second, role: 'read' },
    ]);
  });

  it('are written by the next request when the first one stopped before it wrote the invitation', async () => {
    const email = 'begun@example.org';
    await rig.store.scope(command).handle(invitee, streamIdOf(email), (state) => open(state, { invite: 'begun' }));
    expect((await send(email)).status).toBe(200);
    expect(await pending(email)).toEqual(['begun']);
    const id = await signUp(email);
    await eventually(async () => (await member(id)).status === 200);
    await eventually(isOver(email, 'begun'));
  });

  it('are accepted when the process that made the member stopped right after', async () => {
    const email = 'admitted@example.org';
    await send(email);
    const invited = await only(email);
    const user = newId();
    const limits = { membersPerOrganization: 1_000, organizationsPerUser: 10 };
    const people = [{ user, membership: newId(), role: 'read' as const, via: 'invite' as const, organizations: 0 }];
    await rig.store.scope(command).handle(roster, organization, (state) => join(state, { people, limits }));
    const profile = { email, emailVerified: true, displayName: 'Admitted', kind: 'person', operator: false } as const;
    await rig.store.scope(command).handle(person, user, (state) => register(state, profile));
    await eventually(isOver(email, invited));
    expect((await member(user)).status).toBe(200);
  });

  it.each(['at once', 'after the address was given free'])(
    'are erased when the process that accepted them stopped %s',
    async (when) => {
      const email = `accepted.${when.length}@example.org`;
      await send(email);
      const invited = await only(email);
      if (when !== 'at once')
        await rig.store.scope(command).handle(invitee, streamIdOf(email), (state) => close(state, { invite: invited }));
      await rig.store.scope(command).handle(invite, invited, (state) => accept(state, { user: 'somebody' }));
      await eventually(isOver(email, invited));
      await send(email);
      expect(await pending(email)).toEqual([await openFor(email)]);
      expect(await pending(email)).not.toEqual([invited]);
    },
  );

  it('leave the address only in the stream of the person once they are accepted', async () => {
    const email = 'private.person@example.org';
    await send(email);
    const invited = await only(email);
    const id = await signUp(email);
    await eventually(isOver(email, invited));
    expect((await member(id)).body).toMatchObject({ user: { email } });
    const client = openWithCredentials(rig.config.EVENTSTORE_URL, (url) => EventStoreDBClient.connectionString(url));
    const before = await streamsWith(client, 'private.person');
    const firstOf = (stream: string) => client.readStream(stream, { maxCount: 1 })[Symbol.asyncIterator]().next();
    const readable = (stream: string) =>
      firstOf(stream).then(
        () => true,
        () => false,
      );
    const shown = await Promise.all(before.map(async (stream) => ((await readable(stream)) ? [stream] : [])));
    expect(shown.flat()).toEqual([`${rig.config.NAMESPACE}.identity.user-${id}`]);
    await rig.scavenge();
    expect(await streamsWith(client, 'private.person')).toEqual([`${rig.config.NAMESPACE}.identity.user-${id}`]);
    await client.dispose();
    const holders = async () => {
      const names: string[] = [];
      for (const { collectionName } of await rig.store.database.collections()) {
        const docs = await rig.store.database.collection(collectionName).find().toArray();
        if (JSON.stringify(docs).includes('private.person')) names.push(collectionName);
      }
      return names;
    };
    await eventually(async () => (await holders()).join() === users.collection);
  });

  it.each([pendingInvites, users, members, organizations])(
    'leave a read model $collection that a rebuild reproduces',
    async ({ collection }) => {
      const { status, body } = await rig.send('POST', `/operator/identity/projections/${collection}/rebuild`);
      expect([status, body['equal']]).toEqual([200, true]);
    },
  );
});
