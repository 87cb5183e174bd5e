import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, startRig, type Rig, type Send } from '../test/rig-with-store.js';

/** Rules that hold for every operation, tried with a few. */
describe('a request', () => {
  let rig: Rig;
  let teams: string;
  let team: string;
  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
    await rig.replica();
    teams = `/orgs/${rig.organization}/teams`;
  }, 60_000);
  afterAll(() => rig.stop());
  beforeEach(async () => {
    const { body } = await rig.send('PUT', teams, { body: { title: 'Writers' } });
    team = `${teams}/${String(body['id'])}`;
  });

  const keyed = (key: string): Pick<Send, 'headers'> => ({ headers: { 'idempotency-key': key } });
  const rename = (title: string, headers: Record<string, string> = {}) =>
    rig.send('PATCH', team, { body: { title }, headers });
  const title = async () => (await rig.send('GET', team)).body['title'];
  const etag = async (path = team) => (await rig.send('GET', path)).headers.get('etag') ?? '';

  describe('with an idempotency key', () => {
    it('gets the first answer again, whatever has happened since', async () => {
      const first = await rig.send('PUT', teams, { body: { title: 'Once' }, ...keyed('a') });
      const path = `${teams}/${String(first.body['id'])}`;
      await rig.send('DELETE', path);
      const again = await rig.send('PUT', teams, { body: { title: 'Once' }, ...keyed('a') });
      expect([again.status, again.body, again.headers.get('location')]).toEqual([
        201,
        first.body,
        first.headers.get('location'),
      ]);
      expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
      expect((await rig.send('GET', path)).status).toBe(404);
    });

    it('is refused when the caller used the key for another request, and not when another caller did', async () => {
      await rename('One', { 'idempotency-key': 'b' });
      const other = await rename('Two', { 'idempotency-key': 'b' });
      expect([other.status, other.body.error.reason]).toEqual([422, 'idempotency_key_reused']);
      expect(other.body.error.details?.[0]?.path).toBe('headers.idempotency-key');
      expect(await title()).toBe('One');
      const { token } = await rig.member('Key Twin', 'admin');
      expect((await rig.send('PATCH', team, { token, body: { title: 'Three' }, ...keyed('b') })).status).toBe(200);
    });

    it('gets refusals and deletions again as well', async () => {
      const { body } = await rig.send('POST', '/orgs', { body: { title: 'Sole' } });
      const members = `/orgs/${String(body['id'])}/members`;
      const resign = () => rig.send('PATCH', `${members}/${rig.owner.id}`, { body: { role: 'read' }, ...keyed('c') });
      expect((await resign()).body.error.reason).toBe('last_admin');
      const other = await rig.person('Key Admin');
      await rig.send('POST', `/orgs/${String(body['id'])}/invites`, { body: { emails: [other.email], role: 'admin' } });
      const again = await resign();
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([409, 'true']);
      const removals = await Promise.all([1, 2, 3].map(() => rig.send('DELETE', team, keyed('d'))));
      expect(removals.map(({ status }) => status)).toEqual([205, 205, 205]);
    });

    it('gets the answer again when it took away the access that it needed', async () => {
      const { body } = await rig.send('POST', '/orgs', { body: { title: 'Given up' } });
      const org = `/orgs/${String(body['id'])}`;
      const admin = await rig.person('Key Successor');
      await rig.send('POST', `${org}/invites`, { body: { emails: [admin.email], role: 'admin' } });
      // The other admin accepts the membership by a change, so that the owner is not the last admin.
      await rig.send('PATCH', org, { token: admin.token, body: { title: 'Taken over' } });
      const twice = async (method: string, path: string, key: string, given?: object) => {
        const answers = [
          await rig.send(method, path, { ...keyed(key), ...(given === undefined ? {} : { body: given }) }),
          await rig.send(method, path, { ...keyed(key), ...(given === undefined ? {} : { body: given }) }),
        ];
        return answers.map(({ status, headers }) => [status, headers.get('idempotency-replayed')]);
      };
      expect(await twice('PATCH', `${org}/members/${rig.owner.id}`, 'lost-1', { role: 'read' })).toEqual([
        [200, null],
        [200, 'true'],
      ]);
      expect(await twice('DELETE', `${org}/members/${rig.owner.id}`, 'lost-2')).toEqual([
        [205, null],
        [205, 'true'],
      ]);
      expect(await twice('DELETE', team, 'lost-3')).toEqual([
        [205, null],
        [205, 'true'],
      ]);
      expect((await rig.send('DELETE', `${teams}/another`, keyed('lost-3'))).status).toBe(422);
    });

    it('is repeated with its entity tag, also after the answer was removed', async () => {
      const tag = await etag();
      const change = (to: string, headers: Record<string, string>) =>
        rename(to, { 'idempotency-key': 'tagged', ...headers });
      expect((await change('Held', { 'if-match': tag })).status).toBe(200);
      const { id } = await rig.person('Soon Erased');
      await rig.send('DELETE', `/users/${id}`);
      const forgotten = async () =>
        (await rig.store.database.collection('op_answers').countDocuments({ reply: { $exists: true } })) === 0;
      await eventually(forgotten);
      expect((await change('Held', { 'if-match': tag })).body).toMatchObject({ title: 'Held' });
      expect((await change('Other', {})).status).toBe(422);
      expect((await rename('Never', { 'idempotency-key': 'stale', 'if-match': tag })).status).toBe(412);
      expect((await rename('Else', { 'idempotency-key': 'stale' })).status).toBe(422);
      expect((await rename('Never', { 'idempotency-key': 'stale', 'if-match': await etag() })).status).toBe(200);
    });

    it('is carried out anew as a dry run', async () => {
      await rename('Real', { 'idempotency-key': 'dry' });
      const { status, body } = await rig.send('PATCH', `${team}?dryRun=true`, {
        body: { title: 'Tried' },
        ...keyed('dry'),
      });
      expect([status, body['title'], await title()]).toEqual([200, 'Tried', 'Real']);
    });

    it('has one effect when it is sent many times at once, and shows a secret once', async () => {
      const made = await Promise.all(
        Array.from({ length: 10 }, () => rig.send('POST', '/user/tokens', { body: { label: 'twin' }, ...keyed('e') })),
      );
      expect(new Set(made.map(({ body }) => body['id'])).size).toBe(1);
      expect(made.filter(({ body }) => 'token' in body)).toHaveLength(1);
      expect(made.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(9);
    });
  });

  describe('with an entity tag', () => {
    it('is answered with 304 when the caller has the present version', async () => {
      for (const [path, form] of [
        [team, /^"[\w-]{22,44}"$/],
        [teams, /^W\/"[\w-]{22,44}"$/],
        ['/user', /^"[\w-]{22,44}"$/],
      ] as const) {
        const tag = await etag(path);
        expect(tag).toMatch(form);
        const again = await rig.send('GET', path, {
          headers: { 'if-none-match': `"other", W/${tag.replace('W/', '')}` },
        });
        expect([again.status, again.headers.get('etag')]).toEqual([304, tag]);
      }
      const before = await etag();
      await rename('Tagged');
      expect(await etag()).not.toBe(before);
    });

    it('changes nothing when the resource is no longer as the caller saw it', async () => {
      const seen = await etag();
      expect((await rename('First', { 'if-match': seen })).status).toBe(200);
      const late = await rename('Second', { 'if-match': seen });
      expect([late.status, late.body.error.reason]).toEqual([412, 'precondition_failed']);
      expect((await rig.send('DELETE', team, { headers: { 'if-match': seen } })).status).toBe(412);
      expect(await title()).toBe('First');
      expect((await rename('Third', { 'if-match': `"nothing", ${await etag()}` })).status).toBe(200);
      expect((await rig.send('DELETE', team, { headers: { 'if-match': '*' } })).status).toBe(205);
    });

    it('is refused by the tag before anything else is checked', async () => {
      const org = `/orgs/${rig.organization}`;
      const {
        body: { title: present },
      } = await rig.send('GET', org);
      for (const body of [{ title: present }, { defaultTeam: 'nowhere' }, { hostname: 'taken-by-nobody' }]) {
        const { status, headers } = await rig.send('PATCH', org, {
          body,
          headers: {
            'if-match': '"old"',
            'idempotency-key': `asked ${JSON.stringify(Object.keys(body))}`.replaceAll(' ', ''),
          },
        });
        expect([body, status, headers.get('scriptorium-position')]).toEqual([body, 412, null]);
      }
    });

    it('succeeds for one of many concurrent changes on two replicas', async () => {
      const seen = await etag();
      const all = await Promise.all(Array.from({ length: 30 }, (_, n) => rename(`Racer ${n}`, { 'if-match': seen })));
      expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(all.filter(({ status }) => status !== 200 && status !== 412)).toEqual([]);
    });

    it.each(['x', '"a', 'a"', '""', '"a" "b"', '"ä"'])('of the form %s is refused', async (tag) => {
      const { status, body } = await rename('Never', {
        'if-match': encodeURI(tag).replaceAll('%22', '"').replaceAll('%20', ' '),
      });
      expect([status, body.error.details?.[0]?.path]).toEqual([400, 'headers.if-match']);
    });

    it('that is weak changes nothing', async () => {
      expect((await rename('Never', { 'if-match': `W/${await etag()}` })).status).toBe(412);
    });

    it('is refused when the operation has no strong tag', async () => {
      const invited = await rig.send('POST', `/orgs/${rig.organization}/invites`, {
        body: { emails: ['a@example.org'] },
        headers: { 'if-match': '"a"' },
      });
      const listed = await rig.send('PUT', teams, {
        body: { title: 'Never' },
        headers: { 'if-match': await etag(teams) },
      });
      for (const { status, body } of [invited, listed])
        expect([status, body.error.details?.[0]?.path]).toEqual([400, 'headers.if-match']);
    });
  });

  describe('with a position', () => {
    it('reads at least what the change at that position wrote', async () => {
      for (let n = 0; n < 20; n += 1) {
        const { headers } = await rename(`Position ${n}`);
        const position = headers.get('scriptorium-position') ?? '';
        expect(position).toMatch(/^\d+$/);
        const read = await rig.send('GET', team, { headers: { 'scriptorium-after': position } });
        expect([read.status, read.body['title']]).toEqual([200, `Position ${n}`]);
      }
    });

    it('that no answer gave is refused', async () => {
      for (const after of ['x', '-1', '1.5', '9999999999999999999', '99999999999999']) {
        const { status, body } = await rig.send('GET', team, { headers: { 'scriptorium-after': after } });
        expect([after, status, body.error?.details?.[0]?.path]).toEqual([after, 400, 'headers.scriptorium-after']);
      }
    });
  });

  describe('with ?dryRun=true', () => {
    it('is answered as the change would be, and changes nothing', async () => {
      const renamed = await rig.send('PATCH', `${team}?dryRun=true`, { body: { title: 'Tried' } });
      expect([renamed.status, renamed.body['title'], renamed.headers.get('scriptorium-position')]).toEqual([
        200,
        'Tried',
        null,
      ]);
      expect(await title()).toBe('Writers');
      const made = await rig.send('PUT', `${teams}?dryRun=true`, { body: { title: 'Tried', members: [rig.owner.id] } });
      expect([made.status, made.body['title'], made.body['members']]).toEqual([201, 'Tried', 1]);
      expect((await rig.send('GET', `${teams}/${String(made.body['id'])}`)).status).toBe(404);
      expect((await rig.send('DELETE', `${team}?dryRun=true`)).status).toBe(205);
      expect(await title()).toBe('Writers');
    });

    it('can simulate a change of several streams', async () => {
      const organization = await rig.send('POST', '/orgs?dryRun=true', { body: { title: 'Tried Organization' } });
      expect([organization.status, organization.body['title']]).toEqual([201, 'Tried Organization']);
      expect((await rig.send('GET', `/orgs/${String(organization.body['id'])}`)).status).toBe(404);
      const real = await rig.send('POST', '/orgs', { body: { title: 'Tried Organization' } });
      expect([real.status, real.body['hostname']]).toEqual([201, organization.body['hostname']]);
    });

    it('is refused where the change would be refused', async () => {
      const demoted = await rig.send('POST', '/orgs', { body: { title: 'Sole' } });
      const alone = await rig.send('PATCH', `/orgs/${String(demoted.body['id'])}/members/${rig.owner.id}?dryRun=true`, {
        body: { role: 'read' },
      });
      expect(alone.body.error.reason).toBe('last_admin');
      expect((await rig.send('PATCH', `${team}?dryRun=true`, { body: {} })).status).toBe(400);
      const stranger = await rig.person('Dry Stranger');
      expect(
        (await rig.send('PATCH', `${team}?dryRun=true`, { token: stranger.token, body: { title: 'x' } })).status,
      ).toBe(404);
    });

    it.each(['yes', '1', '', 'true&dryRun=true'])('written as %j is refused', async (value) => {
      const { status, body } = await rig.send('PATCH', `${team}?dryRun=${value}`, { body: { title: 'x' } });
      expect([status, body.error.details?.[0]?.path]).toEqual([400, 'query.dryRun']);
      expect(await title()).toBe('Writers');
    });
  });
});
