import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { someCertificate } from '@scriptorium/testing';
import type { LibraryEvent } from '../nodes/library.events.js';
import { library } from '../nodes/index.js';
import { eventually, startRig, type Answer, type Person, type Rig } from '../../test/rig-with-store.js';
import { transferOf } from './arrival.queries.js';

describe('a transfer that is requested again with its idempotency key', () => {
  let rig: Rig;
  let source: string;
  let target: string;
  /** Admin of the source, who may create in the target. */
  let mover: Person;
  beforeAll(async () => {
    rig = await startRig();
    source = rig.organization;
    target = await organization('Target');
    mover = await rig.member('Mo Ver', 'admin');
    await invite(mover, target, 'create');
  }, 60_000);
  afterAll(() => rig.stop());

  const organization = async (title: string): Promise<string> =>
    String((await rig.send('POST', '/orgs', { body: { title } })).body['id']);
  const make = async (kind: 'spaces' | 'collections', body: object = {}, within = source): Promise<string> =>
    String((await rig.send('POST', `/orgs/${within}/${kind}`, { body })).body['id']);
  const invite = ({ email }: Person, within: string, role: string | null) =>
    rig.send('POST', `/orgs/${within}/invites`, { body: { emails: [email], role } });
  const transfer = (path: string, to: object, { by = rig.owner, key = 'k' }: { by?: Person; key?: string } = {}) =>
    rig.send('POST', `${path}/transfer`, { body: to, token: by.token, headers: { 'idempotency-key': key } });
  const refusal = ({ status, body: { error } }: Answer) => [status, error.reason, error.details?.[0]?.path];
  /** As if the process had died after the work, before the answer was kept. */
  const loseAnswers = async () => {
    const answers = rig.store.database.collection('op_answers');
    await eventually(async () => (await answers.countDocuments({ worker: { $exists: true } })) === 0);
    await answers.updateMany({}, { $set: { until: 0 }, $unset: { reply: '', refusal: '' } });
  };
  const repeated = async (send: () => Promise<Answer>) => {
    const first = await send();
    const kept = await send();
    await loseAnswers();
    const lost = await send();
    expect([first.status, kept.status, lost.status]).toEqual([200, 200, 200]);
    expect([kept.headers.get('idempotency-replayed'), lost.headers.get('idempotency-replayed')]).toEqual([
      'true',
      null,
    ]);
    expect([kept.body, lost.body]).toEqual([first.body, first.body]);
    return first.body;
  };

  it('is answered as before, also when the answer was lost', async () => {
    const [one, all] = [await make('spaces', { title: 'One' }), await make('collections', { title: 'All' })];
    await make('spaces', { parent: all });
    for (const [path, key] of [
      [`/spaces/${one}`, 'one'],
      [`/collections/${all}`, 'all'],
    ] as const) {
      const body = await repeated(() => transfer(path, { organization: target }, { key }));
      expect(body['organization']).toBe(target);
    }
  });

  it('is answered as before to somebody who could not transfer it any more, or not even see it', async () => {
    const [open, closed] = [await make('spaces'), await make('spaces', { title: 'Closed' })];
    await rig.send('PATCH', `/spaces/${closed}`, { body: { defaultLevel: null } });
    for (const id of [open, closed])
      await repeated(() => transfer(`/spaces/${id}`, { organization: target }, { by: mover, key: id }));
    const [other, back] = [{ by: mover, key: 'other' }, { organization: source }];
    expect(refusal(await transfer(`/spaces/${open}`, back, other))).toEqual([403, 'forbidden', undefined]);
    expect((await transfer(`/spaces/${closed}`, back, other)).status).toBe(404);
    expect((await rig.send('GET', `/spaces/${closed}`, { token: mover.token })).status).toBe(404);
  });

  it('is not made a second time when it has come back, or gone on', async () => {
    const [id, third] = [await make('spaces'), await organization('Third')];
    const path = `/spaces/${id}`;
    const there = () => transfer(path, { organization: target }, { key: 'there' });
    for (const elsewhere of [source, third]) {
      expect((await there()).status).toBe(200);
      expect((await transfer(path, { organization: elsewhere }, { key: `to-${elsewhere}` })).status).toBe(200);
      await loseAnswers();
      expect([(await there()).body['organization'], elsewhere]).toEqual([elsewhere, elsewhere]);
      expect((await rig.send('GET', path)).body['organization']).toBe(elsewhere);
    }
    const listed = (await rig.send('GET', `/orgs/${third}/spaces?limit=1000`)).body.items;
    expect(listed.map((item) => item['id'])).toContain(id);
  });

  it('stays refused when the other organization has refused it', async () => {
    const path = `/spaces/${await make('spaces')}`;
    const idem = createHash('sha256')
      .update(JSON.stringify([rig.owner.id, 'transferSpace', 'refused']))
      .digest('base64url');
    const refused: LibraryEvent = {
      type: 'TransferRefused',
      data: { transfer: transferOf(idem), from: source },
    };
    const context = { operation: 'spec', correlation: 'spec', organization: target };
    await rig.store
      .scope({ ...context, actor: { kind: 'user', id: rig.owner.id } }, {})
      .handle(library, target, () => [refused]);
    for (let i = 0; i < 2; i += 1) {
      const answer = await transfer(path, { organization: target }, { key: 'refused' });
      expect(refusal(answer)).toEqual([409, 'conflict', undefined]);
    }
    expect((await rig.send('GET', path)).body['organization']).toBe(source);
    expect((await transfer(path, { organization: target }, { key: 'another' })).status).toBe(200);
  });

  it('into an organization that enforces single sign-on is refused for a caller without it', async () => {
    const enforcing = await organization('Enforcing');
    await invite(mover, enforcing, 'create');
    const idp = { label: 'x', ssoURL: 'https://idp.example/sso', entityID: 'https://idp.example' };
    await rig.send('POST', `/orgs/${enforcing}/saml`, { body: { ...idp, certificate: someCertificate } });
    expect((await rig.send('PATCH', `/orgs/${enforcing}`, { body: { sso: true } })).status).toBe(200);
    const [id, all] = [await make('spaces'), await make('collections')];
    for (const path of [`/spaces/${id}`, `/collections/${all}`])
      for (const by of [rig.owner, mover]) {
        const refused = async () => refusal(await transfer(path, { organization: enforcing }, { by, key: path }));
        const expected = [403, 'sso_required', 'body.organization'];
        await eventually(async () => (await refused())[1] === 'sso_required');
        expect(await refused()).toEqual(expected);
      }
    expect((await rig.send('GET', `/spaces/${id}`)).body['organization']).toBe(source);
  });
});
