import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, startRig, type Person, type Rig } from '../test/rig.js';

describe('digests by mail', () => {
  let rig: Rig;
  let org: string;
  let space: string;
  let ann: Person;
  let bob: Person;
  beforeEach(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    space = await newSpace();
    ann = await rig.member('Ann <b>"Author"</b>', 'edit');
    bob = await rig.member('Bob Brief', 'comment');
  }, 60_000);
  afterEach(() => rig.stop());

  const newSpace = async (): Promise<string> =>
    `/spaces/${String((await rig.send('POST', `${org}/spaces`)).body['id'])}`;
  const post = async (markdown: string, place = space): Promise<void> => {
    const body = { body: { markdown } };
    expect((await rig.send('POST', `${place}/comments`, { token: ann.token, body })).status).toBe(200);
  };
  const mention = ({ id }: Person) => `Quillfeather [@x](mention://user/${id})`;
  const wants = (body: object, { token }: Person = bob) =>
    rig.send('PATCH', `${org}/notification-settings`, { token, body });
  const timers = () => rig.store.database.collection<{ _id: string }>('op_timers');
  const digests = () => rig.store.database.collection<{ user: string; due: number | null }>('op_notification_digests');
  const unread = async ({ token }: Person): Promise<unknown> =>
    (await rig.send('GET', '/user/notifications?unread=true', { token })).body['count'];
  /** Waits until so many people have a digest to come. */
  const expected = (people: number) =>
    eventually(async () => (await digests().countDocuments({ due: { $ne: null } })) === people);
  /** Fires the timer that would fire in the morning, and waits until nothing is due any more. */
  const morning = async (): Promise<void> => {
    await timers().updateOne({ _id: 'mail_digests' }, { $set: { due: 0 } });
    await eventually(async () => (await timers().countDocuments({ _id: 'mail_digests' })) === 0, 20_000);
  };
  const outbox = () => join(rig.config.DATA_DIR, 'outbox');
  const mails = async (): Promise<string[]> => {
    const files = await readdir(outbox()).catch(() => []);
    return files.filter((name) => name.includes('digest')).sort();
  };
  /** The digests once there are so many; their lines are joined again. */
  const mailed = async (least: number): Promise<string[]> => {
    await eventually(async () => (await mails()).length >= least);
    const texts = await Promise.all((await mails()).map((name) => readFile(join(outbox(), name), 'utf8')));
    return texts.map((text) => text.replaceAll('=\r\n', '').replaceAll('=3D', '='));
  };

  it('tell what is unread as text and as HTML, with names quoted in both and no texts of comments', async () => {
    await wants({ email: 'daily' });
    await post(mention(bob));
    await expected(1);
    await morning();
    const [mail = ''] = await mailed(1);
    expect(mail).toContain(`To: ${bob.email}`);
    expect(mail).toMatch(/Subject: 1 unread notification of "First Organization"/);
    expect(mail).toContain('Content-Type: text/plain');
    expect(mail).toContain('Content-Type: text/html');
    expect(mail).toContain('"Ann <b> Author </b>" has mentioned you in a comment');
    expect(mail).toContain('&quot;Ann &lt;b&gt; Author &lt;/b&gt;&quot; has mentioned you in a comment</a>');
    expect(mail).toContain(`https://docs.example/o/${rig.organization}/s/${space.slice('/spaces/'.length)}`);
    expect(mail).not.toContain('Quillfeather');
  }, 60_000);

  it('tell each thing once, whatever was read, and nothing that was read before', async () => {
    await wants({ email: 'daily' });
    await post(mention(bob));
    await expected(1);
    await morning();
    await mailed(1);
    // The same digest once more: a repetition after its answer was lost.
    await digests().updateOne({ user: bob.id }, { $set: { due: 0 } });
    await post(mention(ann));
    await timers().updateMany({ _id: 'mail_digests' }, { $set: { due: 0 } });
    await rig.send('POST', '/user/notifications/read', { token: bob.token });
    await post(mention(bob));
    await eventually(async () => (await unread(bob)) === 1);
    await rig.send('POST', '/user/notifications/read', { token: bob.token });
    await expected(1);
    await morning();
    expect(await mails()).toHaveLength(1);
  }, 60_000);

  it('are made once by several replicas, each person by themselves', async () => {
    await rig.replica();
    await rig.replica();
    const more = await rig.member('Cat Critic', 'comment');
    await wants({ email: 'daily' });
    await wants({ email: 'daily' }, more);
    await post(`${mention(bob)} ${mention(more)}`);
    await expected(2);
    await morning();
    const [first = '', second = ''] = await mailed(2);
    expect([bob, more].map(({ email }) => [first, second].filter((mail) => mail.includes(`To: ${email}`)).length)).toEqual(
      [1, 1],
    );
    expect(await digests().countDocuments({ due: { $ne: null } })).toBe(0);
  }, 60_000);

  it('are judged by what people may view, belong to and want when they are mailed', async () => {
    const people = await Promise.all(['Off Offsen', 'Gone Gonesen', 'Left Leftsen', 'New Newsen'].map((name) => rig.member(name, 'comment')));
    const [off, gone, left, added] = people as [Person, Person, Person, Person];
    const secret = await newSpace();
    for (const person of [gone, left]) await wants({ email: 'daily' }, person);
    await wants({ email: 'off' }, off);
    for (const person of people) await post(mention(person), secret);
    await expected(people.length);
    await rig.send('POST', `${secret}/permissions`, { body: { users: [gone.id], role: null } });
    expect((await rig.send('DELETE', `${org}/members/${left.id}`)).status).toBe(205);
    await eventually(async () => (await unread(left)) === 0);
    await morning();
    // Whoever was merely added is mailed when they want it.
    await wants({ email: 'daily' }, added);
    await post(mention(added));
    await expected(1);
    await digests().updateOne({ user: added.id }, { $set: { due: 0 } });
    expect(await mails()).toEqual([]);
  }, 60_000);

  it('and inbox, marks and settings of erased people are gone', async () => {
    await wants({ email: 'daily' });
    await post(mention(bob));
    await eventually(async () => (await unread(bob)) === 1);
    await rig.send('POST', '/user/notifications/read', { token: bob.token });
    await post(mention(bob));
    await expected(1);
    expect((await rig.send('DELETE', `/users/${bob.id}`)).status).toBe(205);
    const left = async (): Promise<number[]> => {
      const of = { user: bob.id };
      const names = ['op_notification_digests', 'op_notification_settings', 'op_notification_reads', 'notification_v1'];
      return Promise.all(names.map((name) => rig.store.database.collection(name).countDocuments(of)));
    };
    await eventually(async () => (await left()).every((count) => count === 0));
    await morning();
    expect(await mails()).toEqual([]);
  }, 60_000);
});
