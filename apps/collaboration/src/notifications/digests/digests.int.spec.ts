import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join as pathOf } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, startRig, type Person, type Rig } from '../../test/rig-with-store.js';

describe('digests by mail', () => {
  let rig: Rig;
  let org: string;
  let space: string;
  let ann: Person;
  let bob: Person;
  beforeEach(async () => {
    rig = await startRig({}, { alone: true });
    org = `/orgs/${rig.organization}`;
    space = await newSpace();
    ann = await join('Ann Author', 'edit');
    await rig.send('PATCH', `/users/${ann.id}`, { token: ann.token, body: { displayName: 'Ann <b>"Author"</b>' } });
    bob = await join('Bob Brief');
  }, 60_000);
  afterEach(() => rig.stop());

  const newSpace = async (): Promise<string> =>
    `/spaces/${String((await rig.send('POST', `${org}/spaces`)).body['id'])}`;
  /** A new member, who has read that they were added. */
  const join = async (name: string, role = 'comment'): Promise<Person> => {
    const person = await rig.member(name, role);
    await eventually(async () => (await unread(person)) === 1);
    await rig.send('POST', '/user/notifications/read', { token: person.token });
    return person;
  };
  const post = async (markdown: string, place = space): Promise<void> => {
    const body = { body: { markdown } };
    expect((await rig.send('POST', `${place}/comments`, { token: ann.token, body })).status).toBe(200);
  };
  const mention = ({ id }: Person) => `Quillfeather [@x](mention://user/${id})`;
  const wants = (body: object, { token }: Person = bob) =>
    rig.send('PATCH', `${org}/notification-settings`, { token, body });
  const timers = () => rig.store.database.collection<{ _id: string; command: string }>('op_timers');
  /** The mail that waits in identity. */
  const mailJobs = () => {
    const { client, databaseName } = rig.store.database;
    return client
      .db(databaseName.replace('collaboration', 'identity'))
      .collection<{ _id: string; data: string }>('op_timers');
  };
  const digests = () =>
    rig.store.database.collection<{ user: string; due: number | null; through: unknown }>('op_notification_digests');
  const unread = async ({ token }: Person): Promise<unknown> =>
    (await rig.send('GET', '/user/notifications?unread=true', { token })).body['count'];
  /** Waits until these people have something unread and a digest to come. */
  const expected = async (...people: Person[]): Promise<void> => {
    for (const person of people) {
      await eventually(async () => (await unread(person)) === 1);
      await eventually(async () => (await digests().countDocuments({ user: person.id, due: { $ne: null } })) === 1);
    }
  };
  /** Fires the timer that would fire in the morning, and waits until nothing is due any more. */
  const morning = async (): Promise<void> => {
    // The timer may be made a moment after the digest is known to be due.
    const fire = () => timers().updateOne({ command: 'mail_digests' }, { $set: { due: 0 } });
    await eventually(async () => (await fire()).matchedCount === 1);
    // And once more when there was another one already.
    await eventually(async () => (await fire()).matchedCount === 0);
  };
  /** Has a timer for digests to come, as a further notification would. */
  const scheduled = async (person: Person): Promise<void> => {
    await post(mention(person));
    await eventually(async () => (await timers().countDocuments({ command: 'mail_digests' })) === 1);
  };
  const outbox = () => pathOf(rig.config.DATA_DIR, 'outbox');
  const mails = async (): Promise<string[]> => {
    const files = await readdir(outbox()).catch(() => []);
    return files.filter((name) => name.includes('digest')).sort();
  };
  /** The digests once there are so many; their lines are joined again. */
  const mailed = async (least: number): Promise<string[]> => {
    let texts: string[] = [];
    await eventually(async () => {
      texts = await Promise.all((await mails()).map((name) => readFile(pathOf(outbox(), name), 'utf8')));
      // A file is there a moment before its text.
      return texts.filter((text) => text !== '').length >= least;
    });
    return texts.map((text) => text.replaceAll('=\r\n', '').replaceAll('=3D', '='));
  };

  it('tell what is unread as text and as HTML, with names quoted in both and no texts of comments', async () => {
    await wants({ email: 'daily' });
    await post(mention(bob));
    await expected(bob);
    await morning();
    const [mail = ''] = await mailed(1);
    expect(mail).toContain(`To: ${bob.email}`);
    expect(mail).toMatch(/Subject: \S*1_unread_notification_of_/);
    expect(mail).toContain('Content-Type: text/plain');
    expect(mail).toContain('Content-Type: text/html');
    expect(mail).toContain('"Ann <b> Author </b>" has mentioned you in a comment');
    expect(mail).toContain('&quot;Ann &lt;b&gt; Author &lt;/b&gt;&quot; has mentioned you in a comment</a>');
    expect(mail).toContain(`https://docs.example/o/${rig.organization}/s/${space.slice('/spaces/'.length)}`);
    expect(mail).not.toContain('Quillfeather');
  }, 60_000);

  it('tell each thing once, and nothing that was read', async () => {
    const cat = await join('Cat Critic');
    await wants({ email: 'daily' });
    await post(mention(bob));
    await expected(bob);
    const before = await digests().findOne({ user: bob.id });
    await morning();
    await mailed(1);
    // The digest is made once more, as if its answer had been lost.
    await digests().updateOne({ user: bob.id }, { $set: { due: before?.due ?? 0, through: before?.through } });
    await post(mention(cat));
    await expected(cat);
    await morning();
    await rig.send('POST', '/user/notifications/read', { token: bob.token });
    await post(mention(bob));
    await expected(bob);
    await rig.send('POST', '/user/notifications/read', { token: bob.token });
    await morning();
    expect(await mails()).toHaveLength(1);
  }, 60_000);

  it('are mailed also when identity ended between taking and mailing them, and once within a day', async () => {
    const cat = await join('Cat Critic');
    await wants({ email: 'daily' });
    await post(mention(bob));
    await expected(bob);
    const before = await digests().findOne({ user: bob.id });
    const again = () =>
      digests().updateOne({ user: bob.id }, { $set: { due: before?.due ?? 0, through: before?.through } });
    // It is taken, and cannot be written: a file stands in the place of the folder. Then it is lost.
    await rm(outbox(), { recursive: true, force: true });
    await writeFile(outbox(), '');
    await morning();
    await eventually(async () => {
      const failed = (await mailJobs().find().toArray()).find(({ data }) => data.includes('"tries":1'));
      return failed !== undefined && (await mailJobs().deleteOne({ _id: failed._id })).deletedCount === 1;
    });
    await rm(outbox());
    await again();
    await scheduled(cat);
    await morning();
    await mailed(1);
    await again();
    await scheduled(cat);
    await morning();
    expect(await mails()).toHaveLength(1);
  }, 60_000);

  it('are made once by several replicas, each person by themselves', async () => {
    await Promise.all([rig.replica(), rig.replica()]);
    const cat = await join('Cat Critic');
    await wants({ email: 'daily' });
    await wants({ email: 'daily' }, cat);
    await post(`${mention(bob)} ${mention(cat)}`);
    await expected(bob, cat);
    await morning();
    const all = await mailed(2);
    const mailsTo = ({ email }: Person) => all.filter((mail) => mail.includes(`To: ${email}`)).length;
    expect([bob, cat].map(mailsTo)).toEqual([1, 1]);
    expect(await digests().countDocuments({ due: { $ne: null } })).toBe(0);
  }, 60_000);

  it('are judged by what people may view, belong to and want when they are mailed', async () => {
    const [off, gone, left, added] = [
      await join('Off Offsen'),
      await join('Gone Gonesen'),
      await join('Left Leftsen'),
      await join('New Newsen'),
    ];
    const secret = await newSpace();
    for (const person of [gone, left]) await wants({ email: 'daily' }, person);
    await wants({ email: 'off' }, off);
    const people = [off, gone, left, added];
    await post(people.map(mention).join(' '), secret);
    await expected(...people);
    await rig.send('POST', `${secret}/permissions`, { body: { users: [gone.id], role: null } });
    expect((await rig.send('DELETE', `${org}/members/${left.id}`)).status).toBe(205);
    for (const person of [gone, left]) await eventually(async () => (await unread(person)) === 0);
    await morning();
    // Whoever was merely added, and has done nothing there, is mailed nothing either.
    expect(await mails()).toEqual([]);
    expect(await rig.store.database.collection('op_notification_digests').countDocuments({ user: left.id })).toBe(0);
  }, 60_000);

  it('are removed with inbox, read marks and settings when the person is erased', async () => {
    await wants({ email: 'daily' });
    await post(mention(bob));
    await expected(bob);
    await rig.send('POST', '/user/notifications/read', { token: bob.token });
    await post(mention(bob));
    await expected(bob);
    expect((await rig.send('DELETE', `/users/${bob.id}`)).status).toBe(205);
    const left = async (): Promise<number[]> => {
      const of = { user: bob.id };
      const names = ['op_notification_digests', 'op_notification_settings', 'op_notification_reads', 'notification_v4'];
      return Promise.all(names.map((name) => rig.store.database.collection(name).countDocuments(of)));
    };
    await eventually(async () => (await left()).every((count) => count === 0));
    await morning();
    expect(await mails()).toEqual([]);
  }, 60_000);
});
