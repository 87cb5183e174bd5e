import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDBClient, type AllStreamResolvedEvent } from '@eventstore/db-client';
import { openWithCredentials } from '@scriptorium/event-sourcing/testing';
import { projectionsOf } from '@scriptorium/platform';
import { someCertificate } from '@scriptorium/testing';
import { identity } from '../../service.js';
import { close } from '../roster/memberships.js';
import { roster } from '../roster/roster.js';
import { eventually, startRig, type Person, type Rig } from '../../test/own-rig.js';
import { organization } from '../settings/organization.js';

describe('deleting an organization', () => {
  let rig: Rig;
  let owner: Person;
  let reader: Person;
  let id: string;
  let path: string;
  let link: string;
  let team: string;
  beforeAll(async () => {
    rig = await startRig();
    await rig.replica();
    owner = await rig.person('Doomed Owner');
    reader = await rig.person('Doomed Reader');
    const made = await send('POST', '/orgs', { title: 'Doomed', emailDomains: ['doomed.example'] });
    id = String(made.body['id']);
    path = `/orgs/${id}`;
    await send('POST', `${path}/invites`, { emails: [reader.email, 'never.came@example.org'], role: 'read' });
    team = String(
      (await send('PUT', `${path}/teams`, { title: 'Doomed team', members: [reader.id, owner.id] })).body['id'],
    );
    link = String((await send('POST', `${path}/link-invites`, { role: 'read' })).body['id']);
    await send('POST', `${path}/saml`, {
      label: 'Doomed',
      ssoURL: 'https://idp.example',
      entityID: 'idp',
      certificate: someCertificate,
    });
    for (const sso of [true, false]) await send('PATCH', path, { sso });
    await send('PUT', `${path}/agent-instructions`, { instructions: { markdown: 'Tell nobody about doomsday.' } });
    await send('POST', `${path}/ping`, undefined);
  }, 60_000);
  afterAll(() => rig.stop());

  const send = (method: string, to: string, body?: unknown, token = owner.token) =>
    rig.send(method, to, { token, ...(body === undefined ? {} : { body }) });
  const count = async (token: string) => (await rig.send('GET', '/orgs', { token })).body['count'];

  /** Collections with a document about the organization that is not a tombstone. */
  const holders = async () => {
    const names: string[] = [];
    for (const { collectionName } of await rig.store.database.collections()) {
      const docs = JSON.stringify(
        await rig.store.database
          .collection<{ _id: string }>(collectionName)
          .find({ _gone: { $exists: false }, _id: { $ne: `deletion/${id}` } })
          .toArray(),
      );
      if ([id, 'never.came', 'half.way'].some((word) => docs.includes(word))) names.push(collectionName);
    }
    // This collection keeps the ids of removed documents for an hour.
    return names.filter((name) => name !== 'op_gone');
  };

  it('is allowed to its admins alone', async () => {
    const refused = await send('DELETE', path, undefined, reader.token);
    expect([refused.status, refused.body.error.reason]).toEqual([403, 'forbidden']);
    expect((await rig.send('DELETE', path)).status).toBe(204);
    expect((await rig.send('DELETE', '/orgs/nowhere')).status).toBe(204);
    expect((await send('GET', path)).status).toBe(200);
  });

  it('ends the access of all members at once and frees its hostname', async () => {
    expect(await count(reader.token)).toBe(1);
    expect((await send('DELETE', path)).status).toBe(205);
    for (const { token } of [owner, reader]) {
      for (const to of [
        '',
        '/members',
        '/teams',
        `/teams/${team}`,
        '/link-invites',
        '/saml',
        '/sso',
        '/agent-instructions',
      ]) {
        expect((await send('GET', `${path}${to}`, undefined, token)).status).toBe(404);
      }
      expect(await count(token)).toBe(0);
    }
    expect((await send('POST', `${path}/join`)).body.error.reason).toBe('organization_not_found');
    expect((await send('POST', `${path}/invites/${link}`)).status).toBe(404);
    expect((await send('GET', '/subdomains/doomed')).status).toBe(404);
    expect((await send('DELETE', path)).status).toBe(204);
    const heir = await rig.send('POST', '/orgs', { body: { title: 'Doomed' } });
    expect(heir.body['hostname']).toBe('doomed');
    expect((await send('GET', '/subdomains/doomed')).body).toMatchObject({ target: { organization: heir.body['id'] } });
  });

  it('leaves no readable document about it', async () => {
    await eventually(async () => (await holders()).length === 0);
    expect((await rig.send('GET', '/operator/identity/parked-events')).body).toMatchObject({ count: 0 });
  });

  it('leaves no address of invited people and no text about it in the log', async () => {
    const client = openWithCredentials(rig.config.EVENTSTORE_URL, (url) => EventStoreDBClient.connectionString(url));
    let found: string[] = [];
    // The last streams are deleted a moment after the documents about them.
    await eventually(async () => {
      await rig.scavenge();
      found = [];
      for await (const { event } of client.readAll() as AsyncIterable<AllStreamResolvedEvent>) {
        const text = JSON.stringify([event?.streamId, event?.data]);
        if (/never\.came|doomsday|idp\.example/.test(text)) found.push(text);
      }
      return found.length === 0;
    }).catch(() => undefined);
    await client.dispose();
    expect(found).toEqual([]);
  });

  it.each(projectionsOf(identity).map(({ collection }) => collection))(
    'leaves a read model %s that a rebuild reproduces',
    async (collection) => {
      const { status, body } = await rig.send('POST', `/operator/identity/projections/${collection}/rebuild`);
      expect([status, body['equal']]).toEqual([200, true]);
    },
  );

  it('happens once when many ask for it, also while people join and are invited', async () => {
    const made = await send('POST', '/orgs', { title: 'Crowded' });
    const crowded = `/orgs/${String(made.body['id'])}`;
    const invite = String((await send('POST', `${crowded}/link-invites`, { role: 'edit' })).body['id']);
    const people = await Promise.all(Array.from({ length: 6 }, (_, i) => rig.person(`Crowd ${i}`)));
    const [deleted, coming] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, () => send('DELETE', crowded))),
      Promise.all(people.map(({ token }) => send('POST', `${crowded}/invites/${invite}`, undefined, token))),
      ...people.map(({ email }, i) =>
        send('POST', `${crowded}/invites`, { emails: [email, `late${i}@example.org`], role: 'read' }),
      ),
      ...people.map((_, i) => send('PUT', `${crowded}/teams`, { title: `Late ${i}` })),
    ]);
    expect(deleted.filter(({ status }) => status === 205)).toHaveLength(1);
    expect(deleted.every(({ status }) => status === 205 || status === 204)).toBe(true);
    expect(coming.every(({ status }) => status === 200 || status === 404)).toBe(true);
    id = String(made.body['id']);
    for (const { token } of people) await eventually(async () => (await count(token)) === 0);
    await eventually(async () => (await holders()).length === 0);
    expect((await rig.send('GET', '/operator/identity/parked-events')).body).toMatchObject({ count: 0 });
  });

  it('is completed when the process that began it stopped right after', async () => {
    const made = await send('POST', '/orgs', { title: 'Half deleted' });
    const half = String(made.body['id']);
    await send('POST', `/orgs/${half}/invites`, { emails: [reader.email, 'half.way@example.org'] });
    const command = {
      actor: { kind: 'system', id: 'spec' },
      organization: half,
      operation: 'spec',
      correlation: 'spec',
    } as const;
    // Only the first event, as if there were more members than one append removes.
    await rig.store.scope(command).handle(roster, half, (state) => close(state, { by: owner.id }).slice(0, 1));
    await eventually(async () => (await rig.store.load(organization, half)).status === 'deleted');
    await eventually(async () => {
      const state = await rig.store.load(roster, half);
      return state.status === 'closed' && state.members.size === 0;
    });
    id = half;
    await eventually(async () => (await holders()).length === 0);
    const heir = String((await rig.send('POST', '/orgs', { body: { title: 'Heir' } })).body['id']);
    const body = { hostname: 'half-deleted' };
    await eventually(async () => (await rig.send('PATCH', `/orgs/${heir}`, { body })).status === 200);
  });
});
