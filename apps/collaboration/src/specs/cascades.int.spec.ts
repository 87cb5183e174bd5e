import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createStore } from '@scriptorium/event-sourcing';
import { filesWith } from '@scriptorium/testing';
import { eventually, get, startRig, type Person, type Rig } from '../test/own-rig.js';

/** What follows in collaboration from what happens to organizations, members and spaces. */
describe('collaboration follows', () => {
  let rig: Rig;
  let writer: Person;
  let isStopped: boolean;
  beforeEach(async () => {
    isStopped = false;
    rig = await startRig();
    writer = await rig.member('Wri Ter', 'comment');
  }, 60_000);
  afterEach(() => (isStopped ? undefined : rig.stop()));

  const newSpace = async (organization = rig.organization): Promise<string> =>
    `/spaces/${String((await rig.send('POST', `/orgs/${organization}/spaces`)).body['id'])}`;
  const post = async (path: string, markdown: string, person: Person = writer): Promise<string> => {
    const headers = { 'idempotency-key': randomUUID() };
    const answer = await rig.send('POST', path, { token: person.token, body: { body: { markdown } }, headers });
    expect(answer.status).toBe(200);
    return `${path}/${String(answer.body['id'])}`;
  };
  const timers = () => rig.store.database.collection<{ _id: string; command: string }>('op_timers');
  /** Fires the timers that delete texts, which would take a minute. */
  const dropNow = async (least: number): Promise<void> => {
    const due = { command: 'drop_texts' };
    await eventually(async () => (await timers().countDocuments(due)) >= least);
    await eventually(async () => {
      await timers().updateMany(due, { $set: { due: 0 } });
      return (await timers().countDocuments(due)) === 0;
    });
  };
  const rebuildAll = async (): Promise<void> => {
    const { body } = await rig.send('GET', '/operator/collaboration/consumers?limit=1000');
    for (const { name } of body.items.filter(({ kind }) => kind === 'projection')) {
      const rebuilt = await rig.send('POST', `/operator/collaboration/projections/${String(name)}/rebuild`);
      expect([name, rebuilt.body['equal']]).toEqual([name, true]);
    }
  };
  /** Removes deleted data from disk, stops everything, and searches the files. */
  const search = async (words: readonly string[]): Promise<string[]> => {
    await rig.scavenge();
    let found: string[] = [];
    isStopped = true;
    await rig.stop(async (folder) => void (found = await filesWith(folder, words)));
    return found;
  };

  it('edits and deletions: nothing is left of the texts', async () => {
    const space = await newSpace();
    const comments = `${space}/comments`;
    const edited = await post(comments, 'Quillfeather');
    const reply = await post(`${edited}/replies`, 'Zyxwvut');
    const deletedReply = await post(`${edited}/replies`, 'Plumage');
    const deleted = await post(comments, 'Birdbrowser');
    await post(`${deleted}/replies`, 'Unmistakable');
    const made = await rig.send('POST', `${space}/change-requests`, { body: { subject: 'Featherduster' } });
    expect([made.status, made.body]).toMatchObject([201, {}]);
    const request = `${space}/change-requests/${String(made.body['id'])}`;
    const words = ['Quillfeather', 'Zyxwvut', 'Plumage', 'Birdbrowser', 'Unmistakable', 'Featherduster'];
    expect((await filesWith(rig.folder, words)).length).toBeGreaterThan(0);
    const put = (path: string, markdown: string) =>
      rig.send('PUT', path, { token: writer.token, body: { body: { markdown } } });
    await put(edited, 'Kept one');
    await put(reply, 'Kept two');
    await rig.send('DELETE', deletedReply);
    await rig.send('DELETE', deleted);
    expect((await rig.send('PATCH', request, { body: { subject: 'Kept three' } })).status).toBe(200);
    await dropNow(5);
    expect((await rig.send('GET', request)).body['subject']).toBe('Kept three');
    expect(get((await rig.send('GET', edited)).body, 'body.markdown')).toBe('Kept one\n');
    expect(get((await rig.send('GET', reply)).body, 'body.markdown')).toBe('Kept two\n');
    await rebuildAll();
    // Answers that are kept for repeated requests have texts for a day.
    await rig.store.database.collection('op_answers').deleteMany({});
    expect(await search(words)).toEqual([]);
  }, 120_000);

  it('the purge of a space: all its texts go, and nothing of other spaces', async () => {
    const [space, other] = [await newSpace(), await newSpace()];
    const comment = await post(`${space}/comments`, 'Quillfeather');
    await post(`${comment}/replies`, 'Zyxwvut');
    const made = await rig.send('POST', `${space}/change-requests`, { body: { subject: 'Plumage' } });
    const request = `${space}/change-requests/${String(made.body['id'])}`;
    await rig.send('PATCH', request, { body: { subject: 'Birdbrowser', description: { markdown: 'Ferryman' } } });
    await post(`${request}/comments`, 'Unmistakable');
    const { token } = await rig.member('Re Viewer', 'review');
    const review = { status: 'approved', comment: { markdown: 'Featherduster' } };
    expect((await rig.send('POST', `${request}/reviews`, { token, body: review })).status).toBe(201);
    await rig.send('POST', `${request}/requested-reviewers`, { body: { users: [writer.id] } });
    const kept = await post(`${other}/comments`, 'Hadestroop');
    await rig.send('DELETE', space);
    const contentTimers = createStore({
      service: 'content',
      namespace: rig.config.NAMESPACE,
      eventstoreUrl: rig.config.EVENTSTORE_URL,
      mongoUrl: rig.config.MONGODB_URL,
    });
    const purge = { _id: `purge_deleted:${space.slice('/spaces/'.length)}` };
    const due = () =>
      contentTimers.database.collection<{ _id: string }>('op_timers').updateOne(purge, { $set: { due: 0 } });
    await eventually(async () => (await due()).matchedCount === 1);
    await contentTimers.stop();
    const texts = rig.store.database.collection('op_texts');
    await eventually(async () => (await texts.countDocuments({})) === 1, 20_000);
    await eventually(async () => (await rig.send('GET', comment)).status === 404);
    await eventually(async () => (await rig.send('GET', request)).status === 404);
    await dropNow(1);
    await rebuildAll();
    expect(get((await rig.send('GET', kept)).body, 'body.markdown')).toBe('Hadestroop\n');
    const answers = rig.store.database.collection('op_answers');
    await eventually(async () => (await answers.countDocuments({ reply: { $exists: true } })) === 0);
    const words = ['Quillfeather', 'Zyxwvut', 'Plumage', 'Birdbrowser', 'Ferryman', 'Unmistakable', 'Featherduster'];
    expect(await search(words)).toEqual([]);
  }, 120_000);

  it('the deletion of an organization: all its texts go', async () => {
    const other = String((await rig.send('POST', '/orgs', { body: { title: 'Doomed' } })).body['id']);
    const comments = `${await newSpace(other)}/comments`;
    const comment = await post(comments, 'Quillfeather', rig.owner);
    await post(`${comment}/replies`, 'Zyxwvut', rig.owner);
    expect((await rig.send('DELETE', `/orgs/${other}`)).status).toBe(205);
    expect((await rig.send('GET', comments)).status).toBe(404);
    await eventually(async () => (await rig.store.database.collection('op_texts').countDocuments({})) === 0, 20_000);
    await rebuildAll();
    expect(await search(['Quillfeather', 'Zyxwvut'])).toEqual([]);
  }, 120_000);

  it('the removal and erasure of members: what they wrote stays, and their names are nowhere', async () => {
    const space = await newSpace();
    const gone = await rig.member('Quillfeather Gone', 'comment');
    const comment = await post(`${space}/comments`, 'Mine', gone);
    await rig.send('PUT', comment, { token: gone.token, body: { addedReactions: ['🎉'] } });
    const mention = await post(`${space}/comments`, `Ask [@Quillfeather Gone](mention://user/${gone.id})`);
    await rig.send('DELETE', `/orgs/${rig.organization}/members/${gone.id}`);
    await eventually(async () => (await rig.send('GET', `${space}/commenters`)).body['count'] === 1);
    expect((await rig.send('GET', comment)).body).toMatchObject({ postedBy: { displayName: 'Quillfeather Gone' } });
    expect((await rig.send('DELETE', `/users/${gone.id}`)).status).toBe(205);
    const deletedUser = { displayName: 'Deleted user' };
    await eventually(
      async () => get((await rig.send('GET', comment)).body, 'postedBy.displayName') === deletedUser.displayName,
    );
    expect((await rig.send('GET', comment)).body).toMatchObject({
      body: { markdown: 'Mine\n' },
      reactions: [{ users: [{ user: deletedUser }] }],
    });
    expect((await rig.send('GET', mention)).status).toBe(200);
    await rebuildAll();
    await rig.store.database.collection('op_answers').deleteMany({});
    expect(await search(['Quillfeather'])).toEqual([]);
  }, 120_000);
});
