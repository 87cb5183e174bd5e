import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { filesWith } from '@scriptorium/testing';
import { agentInstructions } from '../agent-instructions/agent-instructions.js';
import { invite } from '../organizations/invitations/invite.js';
import { pendingInvites } from '../organizations/invitations/pending-invite.projection.js';
import { roster } from '../organizations/roster/roster.js';
import { teams } from '../teams/team.projection.js';
import { visitor } from '../test/browser.js';
import { someCertificate } from '@scriptorium/testing';
import { eventually, startRig, type Person, type Rig } from '../test/own-rig.js';

const password = 'velvet-otter-lamp-91';

/** Values that occur nowhere else in an installation. */
const given = {
  name: 'Zyxwvüt Quillfeather',
  email: 'Quill.Feather@unmistakable-mailbox.example',
  photo: 'https://photos.example/unmistakable-face.png',
  label: 'Plumage laptop',
  agent: 'Birdbrowser/7',
};
const words = [
  'Zyxwvüt',
  'Quillfeather',
  'quill.feather',
  'unmistakable-mailbox',
  'unmistakable-face',
  'Plumage',
  'Birdbrowser',
  'Oldname',
];

describe('the files of an installation', () => {
  let rig: Rig;
  let stopped: boolean;
  beforeEach(async () => {
    stopped = false;
    rig = await startRig();
  }, 60_000);
  afterEach(() => (stopped ? undefined : rig.stop()));

  /** Removes deleted data from disk, stops everything, and searches the files. */
  const search = async (searched: readonly string[]): Promise<string[]> => {
    await rig.scavenge();
    let found: string[] = [];
    stopped = true;
    await rig.stop(async (folder) => void (found = await filesWith(folder, searched)));
    return found;
  };
  const link = async (): Promise<string> => {
    const email = given.email.toLowerCase();
    const sent = async () =>
      (await rig.mailTo(email)).flatMap((mail) => /sign-in\/link\?link=(\w+)/.exec(mail)?.[1] ?? []);
    const before = (await sent()).length;
    expect(
      (
        await visitor(rig).send('POST', '/auth/email-link', {
          body: { email: given.email, purpose: before === 0 ? 'sign-in' : 'password' },
        })
      ).status,
    ).toBe(200);
    await eventually(async () => (await sent()).length > before);
    return (await sent()).at(-1) ?? '';
  };

  /** A person who is invited, registers by a link, and uses every kind of personal data. */
  const useEverything = async (admin: Person): Promise<{ id: string; token: string }> => {
    const other = String(
      (await rig.send('POST', '/orgs', { token: admin.token, body: { title: 'Other' } })).body['id'],
    );
    const orgs = [
      [rig.organization, rig.owner.token],
      [other, admin.token],
    ] as const;
    for (const [organization, token] of orgs)
      await rig.send('POST', `/orgs/${organization}/invites`, { token, body: { emails: [given.email], role: 'edit' } });
    const browser = visitor(rig);
    const signedIn = await browser.send('POST', '/auth/login', {
      body: { link: await link(), displayName: 'Oldname' },
      headers: { 'user-agent': given.agent },
    });
    const id = String((signedIn.body['user'] as { id: string }).id);
    expect((await browser.send('PUT', '/auth/password', { body: { password } })).status).toBe(204);
    const token = String((await browser.send('POST', '/user/tokens', { body: { label: given.label } })).body['token']);
    for (const [organization, as] of orgs)
      await eventually(
        async () => (await rig.send('GET', `/orgs/${organization}/members/${id}`, { token: as })).status === 200,
      );
    const keyed = { 'idempotency-key': 'unmistakable' };
    await rig.send('PATCH', `/users/${id}`, {
      token,
      body: { displayName: given.name, photoURL: given.photo },
      headers: keyed,
    });
    const twice = { emails: [given.email, { email: given.email, role: 'admin' }], role: 'read' };
    expect((await rig.send('POST', `/orgs/${rig.organization}/invites`, { body: twice, headers: keyed })).status).toBe(
      400,
    );
    await rig.send('PATCH', `/orgs/${other}/members/${id}`, {
      token: admin.token,
      body: { role: 'admin' },
      headers: keyed,
    });
    await rig.send('PUT', `/orgs/${other}/teams`, { token, body: { title: 'Their team', members: [id] } });
    await rig.send('POST', `/orgs/${other}/ping`, { token });
    await rig.send('POST', `/orgs/${other}/invites`, { token, body: { emails: ['invited.by.them@example.org'] } });
    for (const path of [
      '/user',
      '/user/tokens',
      `/users/${id}`,
      `/orgs/${other}/members`,
      `/orgs/${other}/members?search=quill&sort=name`,
    ])
      await rig.send('GET', path, { token });
    await visitor(rig).send('POST', '/auth/login', { body: { email: given.email, password: 'not-the-right-one' } });
    await link();
    await rig.send('DELETE', `/orgs/${rig.organization}/members/${id}`);
    return { id, token };
  };

  it('contain data of a person before their erasure, and none of it after', async () => {
    const { id, token } = await useEverything(await rig.person('Other Admin'));
    const folder = rig.config.DATA_DIR;
    const places = (await filesWith(folder, words)).map((found) => found.split('/')[0]);
    expect(new Set(places)).toEqual(new Set(['eventstore', 'mongodb', 'outbox']));
    expect((await rig.send('DELETE', '/user', { token })).status).toBe(205);
    await eventually(
      async () => (await rig.store.database.collection('op_timers').countDocuments({ command: 'send_mail' })) === 0,
    );
    expect((await rig.send('GET', `/users/${id}`)).status).toBe(404);
    expect(await search(words)).toEqual([]);
  }, 60_000);

  it('contain of a deleted organization only its title and the titles of its teams, and those only in the log', async () => {
    const owner = await rig.person('Doomed Owner');
    const send = (method: string, path: string, body?: unknown) =>
      rig.send(method, path, { token: owner.token, ...(body === undefined ? {} : { body }) });
    const id = String((await send('POST', '/orgs', { title: 'Doomsdayers' })).body['id']);
    const path = `/orgs/${id}`;
    await send('POST', `${path}/invites`, { emails: ['never.came@doomed-mailbox.example'] });
    await send('PUT', `${path}/teams`, { title: 'Hadestroop', members: [owner.id] });
    await send('POST', `${path}/link-invites`, { role: 'read' });
    await send('POST', `${path}/saml`, {
      label: 'Plutonic',
      ssoURL: 'https://idp.underworld.example',
      entityID: 'charon',
      certificate: someCertificate,
    });
    await send('PUT', `${path}/agent-instructions`, { instructions: { markdown: 'Tell nobody about the ferryman.' } });
    const gone = ['doomed-mailbox', 'never.came', 'Plutonic', 'idp.underworld', 'ferryman'];
    const titles = ['Doomsdayers', 'Hadestroop'];
    const [waiting] = await rig.store.collection(pendingInvites).find({ organization: id }).toArray();
    expect(await filesWith(rig.config.DATA_DIR, gone)).not.toEqual([]);
    expect((await send('DELETE', path)).status).toBe(205);
    await eventually(
      async () =>
        (await rig.store.load(roster, id)).status === 'closed' &&
        (await rig.store.load(agentInstructions, id)).document === null,
    );
    await eventually(
      async () =>
        (await rig.store.load(invite, String(waiting?._id))).status === 'absent' &&
        (await rig.store.collection(teams).count({ organization: id })) === 0,
    );
    await eventually(
      async () =>
        (await rig.store.database.collection('op_answers').countDocuments({ reply: { $exists: true } })) === 0,
    );
    const found = await search([...gone, ...titles]);
    expect(found.filter((file) => !file.startsWith('eventstore/'))).toEqual([]);
    expect(new Set(found.map((file) => file.split(': ')[1]))).toEqual(new Set(titles));
  }, 60_000);
});
