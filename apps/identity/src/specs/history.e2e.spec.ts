import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, operationList } from '@scriptorium/contracts';
import { organization } from '../organizations/settings/organization.js';
import { get, startRig, type Person, type Rig } from '../test/rig-with-store.js';

/** Reads of earlier states with `?asOf`, on all operations that accept it. */
describe('a resource read with asOf', () => {
  let rig: Rig;
  let org: string;
  let reader: Person;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    reader = await rig.member('Rea Der', 'read');
  }, 60_000);
  afterAll(() => rig.stop());

  const then = (path: string, asOf: string) => rig.send('GET', `${path}?asOf=${asOf}`);
  /** Sends a change and returns its position. */
  const change = async (method: string, path: string, body?: unknown): Promise<string> => {
    const { status, headers } = await rig.send(method, path, { body });
    expect(status).toBeLessThan(300);
    return headers.get('scriptorium-position') ?? '';
  };
  const made = async (method: string, path: string, body: unknown): Promise<string> => {
    const answer = await rig.send(method, path, { body });
    return `${path}/${String(answer.body['id'])}`;
  };

  it('has an operation that the contract marks with a history', () => {
    expect(
      operationList
        .filter(({ service, history }) => service === 'identity' && history !== undefined)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([
      'getMemberInOrganizationById',
      'getOrganizationAgentInstructions',
      'getOrganizationById',
      'getOrganizationSAMLProviderById',
      'getTeamInOrganizationById',
    ]);
  });

  it('can be a team, at a position or a moment, with the present permissions', async () => {
    const team = await made('PUT', `${org}/teams`, { title: 'One', members: [reader.id] });
    const { createdAt } = (await rig.send('GET', team)).body;
    const second = await change('PATCH', team, { title: 'Two' });
    const third = await change('DELETE', `${team}/members/${reader.id}`);
    await change('PATCH', team, { title: 'Three' });
    expect((await then(team, second)).body).toMatchObject({ title: 'Two', members: 1 });
    expect((await then(team, third)).body).toMatchObject({ title: 'Two', members: 0, permissions: { admin: true } });
    expect((await then(team, String(BigInt(second) - 1n))).body).toMatchObject({ title: 'One', members: 1, createdAt });
    expect((await then(team, new Date().toISOString())).body).toEqual((await rig.send('GET', team)).body);
    expect((await then(team, new Date(Date.parse(String(createdAt)) - 1).toISOString())).status).toBe(404);
    expect((await rig.send('GET', `${team}?asOf=${second}`, { token: reader.token })).body['permissions']).toEqual({
      admin: false,
      view: true,
    });
    await change('DELETE', team);
    expect((await then(team, second)).status).toBe(404);
  });

  it('can be an organization, with present values of what other streams record', async () => {
    const before = (await rig.send('GET', org)).body;
    const renamed = await change('PATCH', org, { title: 'Renamed', ai: false });
    await rig.send('POST', `${org}/saml`, { body: { label: 'x' } });
    await change('PATCH', org, { title: 'Again', inviteLinks: false });
    expect((await then(org, renamed)).body).toEqual({ ...before, title: 'Renamed', ai: false });
  });

  it('can be a member, with the present profile of the person', async () => {
    const person = await rig.member('Old Name', 'read');
    const path = `${org}/members/${person.id}`;
    const promoted = await change('PATCH', path, { role: 'edit' });
    await change('PATCH', path, { role: 'admin' });
    await rig.send('PATCH', `/users/${person.id}`, { token: person.token, body: { displayName: 'New Name' } });
    expect((await then(path, promoted)).body).toMatchObject({ role: 'edit', user: { displayName: 'New Name' } });
    expect((await then(path, '0')).status).toBe(404);
    await change('DELETE', path);
    await rig.send('POST', `${org}/invites`, { body: { emails: [person.email], role: 'create' } });
    expect((await then(path, promoted)).body).toMatchObject({ role: 'edit' });
  });

  it('can be a SAML provider or the agent instructions', async () => {
    const provider = await made('POST', `${org}/saml`, { label: 'First' });
    const labelled = await change('PATCH', provider, { label: 'Second' });
    await change('PATCH', provider, { label: 'Third' });
    expect((await then(provider, labelled)).body).toMatchObject({ label: 'Second' });
    const instructions = `${org}/agent-instructions`;
    const written = await change('PUT', instructions, { instructions: { markdown: 'Be kind.' } });
    await change('PUT', instructions, { instructions: { markdown: 'Be brief.' } });
    expect((await rig.send('GET', `${instructions}?format=markdown&asOf=${written}`)).body['instructions']).toEqual({
      markdown: 'Be kind.\n',
    });
    expect((await rig.send('GET', `${instructions}?format=markdown&asOf=${labelled}`)).body['instructions']).toEqual({
      markdown: '',
    });
  });

  it('has no entity tag, since it cannot be changed', async () => {
    const { headers, status } = await then(org, new Date().toISOString().replace('Z', '%2B00:00'));
    expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([200, null, 'no-store']);
    const known = (await rig.send('GET', org)).headers.get('etag') ?? '';
    expect(
      (await rig.send('GET', `${org}?asOf=${new Date().toISOString()}`, { headers: { 'if-none-match': known } }))
        .status,
    ).toBe(200);
  });

  it('is refused for a future moment, an invalid moment, and operations without a history', async () => {
    const refusal = async (path: string, asOf: string) => {
      const { status, body } = await then(path, asOf);
      return [status, get(body, 'error.details.0.path')];
    };
    const refused = [400, 'query.asOf'];
    expect(await refusal(org, new Date(Date.now() + 60_000).toISOString())).toEqual(refused);
    expect(await refusal(org, '999999999999999999')).toEqual(refused);
    for (const nonsense of [
      '',
      'yesterday',
      '2026-01-01',
      '2026-01-01T00:00:00+01:00',
      '-1',
      '1.5',
      '99999999999999999999',
    ])
      expect(await refusal(org, nonsense)).toEqual(refused);
    expect(await refusal(org, '1&asOf=2')).toEqual(refused);
    expect(await refusal(`${org}/teams`, '1')).toEqual(refused);
  });

  it('is shown only to callers who may see it now', async () => {
    const stranger = await rig.person('Stran Ger');
    expect((await rig.send('GET', `${org}?asOf=1`, { token: stranger.token })).status).toBe(404);
    expect((await rig.send('GET', `${org}?asOf=1`, { token: null })).status).toBe(401);
  });

  it('is refused when too many events lead to it', async () => {
    const { body } = await rig.send('POST', '/orgs', { body: { title: 'Busy' } });
    const id = String(body['id']);
    const at = { actor: { kind: 'system', id: 'spec' }, organization: id, operation: 'spec', correlation: 'spec' };
    const rename = (from: number) => () =>
      Array.from({ length: 1000 }, (_, i) => ({
        type: 'OrganizationRenamed' as const,
        data: { title: `Title ${from + i}` },
      }));
    const middle = await rig.store.scope(at).handle(organization, id, rename(0), { wait: false });
    for (let from = 1000; from < 10_000; from += 1000)
      await rig.store.scope(at).handle(organization, id, rename(from), { wait: false });
    expect((await then(`/orgs/${id}`, String(middle.position))).body['title']).toBe('Title 999');
    const { status, body: refusal } = await then(`/orgs/${id}`, new Date().toISOString());
    expect([status, refusal.error.reason, refusal.error.details?.[0]?.path]).toEqual([
      422,
      'history_too_long',
      'query.asOf',
    ]);
  });

  it('can be requested through the client', async () => {
    const client = createClient({ endpoint: rig.endpoint, token: rig.owner.token });
    const { createdAt } = (await rig.send('GET', org)).body;
    expect(
      await client.getOrganizationById({ params: { organizationId: rig.organization }, asOf: String(createdAt) }),
    ).toMatchObject({ title: 'First Organization' });
  });
});
