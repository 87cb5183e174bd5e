import { nodeAccess } from '@scriptorium/access';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { someCertificate } from '@scriptorium/testing';
import { eventually, get, startRig, type Answer, type Person, type Rig } from '../../test/rig-with-store.js';
import { spaces as spaceDocs } from './space.projection.js';

describe('the spaces of a member', () => {
  let rig: Rig;
  let org: string;
  let creator: Person;
  let reader: Person;
  let guest: Person;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    creator = await rig.member('Cleo Creator', 'create');
    reader = await rig.member('Rea Der', 'read');
    guest = await rig.member('Gus Guest', null);
  }, 60_000);
  afterAll(() => rig.stop());

  const make = async (title: string, { token }: Person = creator): Promise<string> =>
    String((await rig.send('POST', `${org}/spaces`, { token, body: { title } })).body['id']);
  const list = (member: string, query = '', { token }: Person = rig.owner): Promise<Answer> =>
    rig.send('GET', `${org}/members/${member}/spaces${query}`, { token });
  /**
   * Writes spaces into the read models, which is quicker than requests for many. Those of `closed` have no default
   * level.
   */
  const write = async (organization: string, ids: readonly string[], closed: readonly string[]): Promise<void> => {
    const settings = { title: 'One of many', emoji: null, icon: null, language: null, editMode: 'locked' };
    const levelOf = (id: string) => (closed.includes(id) ? null : 'inherit');
    const changedAt = (n: number) => new Date(Date.UTC(2026, 0, 1) + ((n * 7) % 100) * 1_000).toISOString();
    const docs = ids.map((_id, n) => {
      const times = { createdAt: changedAt(n), updatedAt: changedAt(n) };
      return { _id, _at: 0, organization, ...settings, mergeRules: null, defaultLevel: levelOf(_id), ...times };
    });
    const nodes = ids.map((_id) => {
      const at = { kind: 'space', organization, added: true, parent: null, order: _id, deletedAt: null };
      return { _id, _at: 0, ...at, defaultLevel: levelOf(_id), users: [], teams: [] };
    });
    await rig.store.collection(spaceDocs).raw.insertMany(docs);
    await rig.store.collection(nodeAccess).raw.insertMany(nodes);
  };
  const titles = ({ body }: Answer) => body.items.map((item) => get(item, 'space.title'));
  const refused = ({ status, body }: Answer) => [status, body.error.reason];

  it('are those that the member may view, each with the level of the member, last changed first', async () => {
    const [open, closed, shared] = [await make('Open'), await make('Closed'), await make('Shared')];
    const deleted = await make('Deleted');
    for (const id of [closed, shared, deleted])
      await rig.send('PATCH', `/spaces/${id}`, { body: { defaultLevel: null } });
    const grant = { role: 'review', users: [guest.id, reader.id] };
    for (const id of [shared, deleted]) await rig.send('POST', `/spaces/${id}/permissions`, { body: grant });
    await rig.send('DELETE', `/spaces/${deleted}`);
    await rig.send('PATCH', `/spaces/${open}`, { body: { title: 'Opened' } });
    const ofReader = await list(reader.id);
    expect(ofReader.body['count']).toBe(2);
    expect(ofReader.body.items.map((item) => [item['permission'], get(item, 'space.title')])).toEqual([
      ['read', 'Opened'],
      ['review', 'Shared'],
    ]);
    expect(titles(await list(reader.id, '?order=asc'))).toEqual(['Shared', 'Opened']);
    expect(titles(await list(guest.id))).toEqual(['Shared']);
    expect(titles(await list(creator.id))).toEqual(['Opened', 'Shared', 'Closed']);
    expect((await list(creator.id)).body.items.map((item) => item['permission'])).toEqual(['admin', 'admin', 'admin']);
  });

  it('are shown as the caller sees them, whose permissions may be others than those of the member', async () => {
    const id = await make('Seen');
    const [byAdmin] = (await list(reader.id)).body.items;
    const [bySelf] = (await list(reader.id, '', reader)).body.items;
    expect([byAdmin?.['permission'], bySelf?.['permission']]).toEqual(['read', 'read']);
    expect(byAdmin?.['space']).toEqual((await rig.send('GET', `/spaces/${id}`)).body);
    expect(bySelf?.['space']).toEqual((await rig.send('GET', `/spaces/${id}`, { token: reader.token })).body);
  });

  it('are listed for admins and the member alone', async () => {
    expect((await list(guest.id, '', guest)).status).toBe(200);
    expect(refused(await list(guest.id, '', reader))).toEqual([403, 'forbidden']);
    expect(refused(await list(reader.id, '', creator))).toEqual([403, 'forbidden']);
    // Guests do not know who else is a member.
    expect(refused(await list(reader.id, '', guest))).toEqual([404, 'not_found']);
    expect(refused(await list(reader.id, '', await rig.person('Stran Ger')))).toEqual([404, 'not_found']);
    expect(refused(await rig.send('GET', `${org}/members/${reader.id}/spaces`, { token: null }))).toEqual([
      401,
      'unauthenticated',
    ]);
  });

  it('are not found for somebody who is no member', async () => {
    expect(refused(await list('nobody'))).toEqual([404, 'not_found']);
    expect(refused(await list((await rig.person('Other Person')).id))).toEqual([404, 'not_found']);
    const leaver = await rig.member('Lea Ver', 'admin');
    expect((await list(leaver.id)).status).toBe(200);
    await rig.send('DELETE', `${org}/members/${leaver.id}`);
    expect(refused(await list(leaver.id))).toEqual([404, 'not_found']);
    expect(refused(await list(leaver.id, '', leaver))).toEqual([404, 'not_found']);
    expect(refused(await list(reader.id, '', leaver))).toEqual([404, 'not_found']);
  });

  it('belong to one organization', async () => {
    const other = String((await rig.send('POST', '/orgs', { body: { title: 'Other' } })).body['id']);
    const path = `/orgs/${other}/members`;
    await rig.send('POST', `/orgs/${other}/spaces`, { body: { title: 'Elsewhere' } });
    expect(titles(await rig.send('GET', `${path}/${rig.owner.id}/spaces`))).toEqual(['Elsewhere']);
    expect((await rig.send('GET', `${path}/${reader.id}/spaces`)).status).toBe(404);
    expect((await rig.send('GET', `${path}/${reader.id}/spaces`, { token: reader.token })).status).toBe(404);
    expect((await rig.send('GET', `/orgs/unknown/members/${reader.id}/spaces`)).status).toBe(404);
    await rig.send('DELETE', `/orgs/${other}`);
    expect((await rig.send('GET', `${path}/${rig.owner.id}/spaces`)).status).toBe(404);
  });

  it.each(['asc', 'desc'])('are paged (%s) without losing or repeating any, with the exact count', async (order) => {
    const expected = (await list(reader.id, `?order=${order}`)).body.items.map((item) => get(item, 'space.id'));
    const seen: unknown[] = [];
    for (let page = ''; ;) {
      const { body } = await list(reader.id, `?limit=1&order=${order}${page}`);
      expect([body['count'], body.items.length]).toEqual([expected.length, 1]);
      seen.push(get(body.items[0], 'space.id'));
      if (body['next'] === undefined) break;
      page = `&page=${encodeURIComponent(String(get(body, 'next.page')))}`;
    }
    expect(seen).toEqual(expected);
  });

  it('have pages that belong to the member, the order and the list', async () => {
    const { body } = await list(reader.id, '?limit=1');
    const page = encodeURIComponent(String(get(body, 'next.page')));
    expect((await list(reader.id, `?limit=1&page=${page}`)).status).toBe(200);
    expect((await list(creator.id, `?limit=1&page=${page}`)).status).toBe(400);
    expect((await list(reader.id, `?limit=1&order=asc&page=${page}`)).status).toBe(400);
    expect((await rig.send('GET', `${org}/spaces?page=${page}`)).status).toBe(400);
    expect((await list(reader.id, '?order=newest')).status).toBe(400);
  });

  it('can be counted without being shown', async () => {
    const { body } = await list(reader.id);
    expect((await list(reader.id, '?limit=0')).body).toEqual({ items: [], count: body['count'] });
  });

  it('are listed from the index when there are many, and skip those that the member may not view', async () => {
    const other = String((await rig.send('POST', '/orgs', { body: { title: 'Large' } })).body['id']);
    const path = `/orgs/${other}`;
    const [hidden, total] = [100, 2_120];
    const ids = Array.from({ length: total }, (_, n) => `large${n}`);
    const closed = ids.filter((_, n) => n % 10 === 0).slice(0, hidden);
    await write(other, ids, closed);
    const member = await rig.person('Many Spaces');
    await rig.send('POST', `${path}/invites`, { body: { emails: [member.email], role: 'read' } });
    const seen: unknown[] = [];
    for (let page = ''; ;) {
      const { body } = await rig.send('GET', `${path}/members/${member.id}/spaces?limit=900${page}`);
      expect(body['count']).toBe(total - hidden);
      seen.push(...body.items.map((item) => get(item, 'space.id')));
      if (body['next'] === undefined) break;
      page = `&page=${encodeURIComponent(String(get(body, 'next.page')))}`;
    }
    const stored = await rig.store.collection(spaceDocs).find({ organization: other }).toArray();
    const keyOf = ({ updatedAt, _id }: { updatedAt: string; _id: string }) => `${updatedAt} ${_id}`;
    const expected = stored
      .filter(({ _id }) => !closed.includes(_id))
      .sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
      .map(({ _id }) => _id);
    expect(seen).toEqual(expected);
  }, 60_000);

  it('are none for a disabled member, who gets no list themselves', async () => {
    const idle = await rig.member('Idle Member', 'edit');
    expect((await list(idle.id, '', idle)).body['count']).toBeGreaterThan(0);
    expect((await rig.send('PATCH', `${org}/members/${idle.id}`, { body: { disabled: true } })).status).toBe(200);
    await eventually(async () => (await list(idle.id, '', idle)).status === 404);
    expect((await list(idle.id)).body).toEqual({ items: [], count: 0 });
    const page = encodeURIComponent(String(get((await list(reader.id, '?limit=1')).body, 'next.page')));
    expect((await list(idle.id, `?page=${page}`)).status).toBe(400);
  });

  it('are refused to members without the enforced single sign-on', async () => {
    const provider = { label: 'x', ssoURL: 'https://idp.example/sso', entityID: 'https://idp.example' };
    await rig.send('POST', `${org}/saml`, { body: { ...provider, certificate: someCertificate } });
    expect((await rig.send('PATCH', org, { body: { sso: true } })).status).toBe(200);
    expect(refused(await list(reader.id))).toEqual([403, 'sso_required']);
    expect(refused(await list(reader.id, '', reader))).toEqual([403, 'sso_required']);
    expect((await list(guest.id, '', guest)).status).toBe(200);
  });
});
