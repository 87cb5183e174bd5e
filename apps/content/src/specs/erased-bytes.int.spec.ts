import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openBranch, writeBranch } from '@scriptorium/contracts';
import { filesWith } from '@scriptorium/testing';
import { connectAsker } from '../test/ask.js';
import { changeContentOf, page } from '../test/pages.js';
import { eventually, startRig, type Rig } from '../test/own-rig.js';
import { exported, imported, zipOf } from '../test/zips.js';

const kinds = [
  'Title',
  'Text',
  'Describes',
  'Include',
  'Variable',
  'Bytes',
  'Filename',
  'Request',
  'Archive',
  'Missing',
];
/** Words that occur nowhere else in an installation. */
const wordsOf = (of: string): string[] => kinds.map((kind) => `${of}${kind}quill`);

describe('the files of an installation', () => {
  let rig: Rig;
  let isStopped: boolean;
  beforeEach(async () => {
    isStopped = false;
    rig = await startRig();
  }, 60_000);
  afterEach(() => (isStopped ? undefined : rig.stop()));

  const collection = (name: string) => rig.store.database.collection<{ _id: string }>(name);
  const newOrganization = async (title: string) =>
    String((await rig.send('POST', '/orgs', { body: { title } })).body['id']);
  const namesOf = async (pool: string): Promise<string[]> => {
    const found = await collection('op_objects')
      .find({ _id: { $gte: `${pool}/`, $lt: `${pool}0` } })
      .toArray();
    return found.map(({ _id }) => _id.slice(pool.length + 1));
  };
  /** Changes that leave a word in each kind of content. */
  const changesOf = (of: string) => {
    const [title = '', text = '', description, include, variable, bytes = '', filename = ''] = wordsOf(of);
    const file = { name: `${filename}.txt`, ref: of, contentType: 'text/plain' };
    return [
      { operation: 'insert_files', files: [{ ...file, base64: Buffer.from(bytes).toString('base64') }] },
      { operation: 'insert_reusable_content', title: include, ref: 'i', document: { markdown: include } },
      { operation: 'set_variables', variables: { v: variable } },
      page(title, `${text} [f](/files/${of})\n\n{% include "/reusable-content/i" %}`, { description }),
    ];
  };
  /** A space of some content, and a copy of it; then the space gets more, in each way in which content comes. */
  const fill = async (organization: string, of: string) => {
    const [title = '', , , , , , , request = '', archive = '', missing = ''] = wordsOf(of);
    const within = { ...rig, organization };
    const made = await rig.send('POST', `/orgs/${organization}/spaces`, {
      body: { title: `Plain${of}`, editMode: 'live', empty: true },
    });
    const source = String(made.body['id']);
    const shared = page(`Shared${of}`, `Shared${of} words.`);
    await changeContentOf(rig, source, [shared]);
    const copy = String((await rig.send('POST', `/spaces/${source}/duplicate`)).body['id']);
    const kept = new Set(await namesOf(source));
    await changeContentOf(rig, source, changesOf(of));
    await imported(within, source, await zipOf({ [`${archive}.md`]: `# ${archive}\n\n[x](${missing}.md)\n` }, false));
    const ask = await connectAsker(rig);
    await ask(openBranch, { space: source, branch: `cr${of}` });
    const changes = [{ operation: 'insert_page' as const, title: request, document: { markdown: request } }];
    await ask(writeBranch, { space: source, branch: `cr${of}`, write: { changes } });
    await ask.close();
    await rig.send('PATCH', `/spaces/${source}`, { body: { title }, headers: { 'idempotency-key': of } });
    await exported(within, source);
    for (const path of [`/spaces/${source}/links`, `/orgs/${organization}/search?query=${title}`])
      expect((await rig.send('GET', path)).status).toBe(200);
    return { source, copy, own: (await namesOf(source)).filter((name) => !kept.has(name)) };
  };
  /** A week passes in which nothing is stored. */
  const pass = async () => {
    for (const name of ['op_objects', 'op_files']) await collection(name).updateMany({}, { $set: { at: 0 } });
    await collection('op_uploads').updateMany({}, { $set: { endsAt: 0 } });
    await collection('op_timers').updateMany({ command: 'sweep_uploads' }, { $set: { due: 0 } });
    await eventually(async () => (await collection('op_uploads').countDocuments()) === 0, 20_000);
  };
  const isAtRest = async () => {
    const open = async () => (await rig.send('GET', '/operator/content/runs?open=true')).body['count'];
    // Of two sweeps of one pool one finds that the other has been faster, and looks again a day later.
    const soon = { command: 'sweep_pool', due: { $lt: Date.now() + 3_600_000 } };
    const sweeps = () => collection('op_timers').countDocuments(soon);
    return (await sweeps()) === 0 && (await open()) === 0;
  };
  const found = async (searched: readonly string[]): Promise<string[]> => {
    await rig.scavenge();
    let files: string[] = [];
    isStopped = true;
    await rig.stop(async (folder) => void (files = await filesWith(folder, searched)));
    return files;
  };
  const isReadable = async (copy: string, of: string) => {
    const read = await rig.send('GET', `/spaces/${copy}/content/path/shared${of.toLowerCase()}?format=markdown`);
    expect(read.body['markdown']).toContain(`Shared${of} words.`);
  };

  it('contain of a purged space only what another space of the same history has', async () => {
    const { source, copy, own } = await fill(rig.organization, 'One');
    expect(own.length).toBeGreaterThan(5);
    const words = [...wordsOf('One'), ...own];
    const before = (await filesWith(rig.folder, words)).map((one) => one.split('/')[0]);
    expect(new Set(before)).toEqual(new Set(['eventstore', 'files', 'mongodb']));
    await rig.send('DELETE', `/spaces/${source}`);
    await pass();
    const timer = { _id: `purge_deleted:${source}` };
    await eventually(
      async () => (await collection('op_timers').updateOne(timer, { $set: { due: 0 } })).matchedCount === 1,
    );
    await eventually(async () => (await namesOf(source)).every((name) => !own.includes(name)), 30_000);
    await eventually(isAtRest, 30_000);
    await isReadable(copy, 'One');
    expect(await found(words)).toEqual([]);
  }, 120_000);

  it('contain nothing of what a deleted organization had but what is in another one', async () => {
    const [doomed, other] = [await newOrganization('Doomed'), await newOrganization('Other')];
    // Both spaces of the one history go with the organization; a copy of the other one is in another organization by
    // then.
    const [both, one] = [await fill(doomed, 'Both'), await fill(doomed, 'Half')];
    const moved = await rig.send('POST', `/spaces/${one.copy}/transfer`, { body: { organization: other } });
    expect(moved.status).toBe(200);
    await rig.send('DELETE', `/spaces/${both.copy}`);
    const all = await namesOf(both.source);
    await pass();
    expect((await rig.send('DELETE', `/orgs/${doomed}`)).status).toBe(205);
    await eventually(async () => (await namesOf(both.source)).length === 0, 30_000);
    await eventually(async () => (await namesOf(one.source)).every((name) => !one.own.includes(name)), 30_000);
    await eventually(isAtRest, 30_000);
    await isReadable(one.copy, 'Half');
    expect(
      await found([...wordsOf('Both'), 'SharedBoth', 'PlainBoth', ...wordsOf('Half'), ...all, ...one.own]),
    ).toEqual([]);
  }, 120_000);
});
