import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRigWithSites, type Person, type Rig } from '../test/rig.js';

describe('the change requests of the spaces on a site', () => {
  let rig: Rig;
  let reader: Person;
  let organization: string;
  let site: string;
  let spaces: string[];
  beforeAll(async () => {
    rig = await startRigWithSites();
    organization = `/orgs/${rig.organization}`;
    reader = await rig.member('Rea Der', 'read');
    spaces = await Promise.all(['On', 'Off', 'Hidden'].map((title) => newSpace(title)));
    const [on = '', , hidden = ''] = spaces;
    const made = await rig.send('POST', `${organization}/sites`, { body: { title: 'Docs', spaces: [on, hidden] } });
    site = String(made.body['id']);
    for (const space of spaces)
      await rig.send('POST', `/spaces/${space}/change-requests`, { body: { subject: `In ${space}` } });
    await rig.send('PATCH', `/spaces/${hidden}`, { body: { defaultLevel: null } });
  }, 60_000);
  afterAll(() => rig.stop());

  const newSpace = async (title: string) =>
    String((await rig.send('POST', `${organization}/spaces`, { body: { title, empty: true } })).body['id']);
  const listed = async (query: string, { token }: Person = rig.owner) => {
    const { status, body } = await rig.send('GET', `${organization}/change-requests?status=draft&${query}`, { token });
    expect(status).toBe(200);
    return body.items.map((item) => item['space']).sort();
  };

  it('are listed, as far as the caller may view the spaces', async () => {
    const [on = '', off = '', hidden = ''] = spaces;
    expect(await listed('')).toEqual([...spaces].sort());
    expect(await listed(`site=${site}`)).toEqual([on, hidden].sort());
    expect(await listed(`site=${site}`, reader)).toEqual([on]);
    expect(await listed(`site=${site}&space=${on}`)).toEqual([on]);
    expect(await listed(`site=${site}&space=${off}`)).toEqual([]);
    expect(await listed('site=none')).toEqual([]);
  });

  it('are hidden from callers who cannot view the site, and follow the spaces on it', async () => {
    const [on = '', off = ''] = spaces;
    const closed = { users: [reader.id], role: null };
    expect((await rig.send('POST', `${organization}/sites/${site}/permissions`, { body: closed })).status).toBe(204);
    expect(await listed(`site=${site}`, reader)).toEqual([]);
    await rig.send('POST', `${organization}/sites/${site}/site-spaces`, { body: { spaceId: off } });
    expect(await listed(`site=${site}`)).toEqual([...spaces].sort());
    await rig.send('DELETE', `${organization}/sites/${site}`);
    expect(await listed(`site=${site}`)).toEqual([]);
    expect(await listed(`space=${on}`)).toEqual([on]);
  });

  it('refuse a cursor that was made for another site', async () => {
    const first = await rig.send('GET', `${organization}/change-requests?status=draft&limit=1`);
    const page = String((first.body['next'] as { page: string }).page);
    const refused = await rig.send('GET', `${organization}/change-requests?status=draft&limit=1&site=s&page=${page}`);
    expect([refused.status, refused.body.error.details?.[0]?.path]).toEqual([400, 'query.page']);
  });
});
