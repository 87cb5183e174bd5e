import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get, eventually, startRig, type Rig } from '../../test/own-rig.js';
import { makeSpace } from '../../test/spaces.js';

interface File {
  name: string;
  downloadURL: string;
}

describe('the bytes of files', () => {
  let rig: Rig;
  let org: string;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
  }, 60_000);
  afterAll(() => rig.stop());

  const insert = (space: string, text: string) => {
    const file = { name: `${text}.txt`, base64: Buffer.from(text).toString('base64'), contentType: 'text/plain' };
    const changes = [{ operation: 'insert_files', files: [file] }];
    return rig.send('POST', `/spaces/${space}/content`, { body: { changes } });
  };
  const filesOf = async (space: string) =>
    get((await rig.send('GET', `/spaces/${space}/content/files`)).body, 'items') as File[];
  const statusOf = async (url: string | undefined) => (await fetch(url ?? '')).status;
  /** What stands in the folder of files. */
  const stored = async () => {
    const all = readdir(join(rig.folder, 'files'), { recursive: true, withFileTypes: true });
    // Folders may go while they are read.
    return all.then((entries) => entries.filter((entry) => entry.isFile()).length).catch(() => -1);
  };
  const collection = (name: string) => rig.store.database.collection<{ _id: string }>(name);
  /** Removes a space, and everything that a week would. */
  const purge = async (space: string) => {
    await rig.send('DELETE', `/spaces/${space}`);
    await collection('op_files').updateMany({}, { $set: { at: 0 } });
    const timer = { _id: `purge_deleted:${space}` };
    await eventually(
      async () => (await collection('op_timers').updateOne(timer, { $set: { due: 0 } })).matchedCount === 1,
    );
    await eventually(async () => (await rig.send('GET', '/operator/content/runs?open=true')).body['count'] === 0);
    await eventually(async () => (await collection('op_timers').countDocuments(timer)) === 0);
  };

  it('go with the last space that has them, and those of others stay', async () => {
    const source = await makeSpace(rig);
    await insert(source, 'shared');
    const copy = String((await rig.send('POST', `/spaces/${source}/duplicate`)).body['id']);
    await insert(source, 'own');
    const [own, shared] = await filesOf(source);
    const [copied] = await filesOf(copy);
    expect([own?.name, shared?.name, copied?.name]).toEqual(['own.txt', 'shared.txt', 'shared.txt']);
    expect([await stored(), await statusOf(own?.downloadURL)]).toEqual([2, 200]);
    await purge(source);
    await eventually(async () => (await stored()) === 1);
    expect(await statusOf(own?.downloadURL)).toBe(404);
    expect(await (await fetch(copied?.downloadURL ?? '')).text()).toBe('shared');
    await purge(copy);
    await eventually(async () => (await stored()) === 0);
    expect(await statusOf(copied?.downloadURL)).toBe(404);
    await eventually(async () => (await collection('op_files').countDocuments()) === 0);
  }, 60_000);

  it('of uploads go when these have ended', async () => {
    const body = { file: { name: 'a', type: 'a/b', size: 3 }, kind: 'space_file' };
    const { url, key } = (await rig.send('POST', `${org}/storage/upload`, { body })).body;
    expect((await fetch(String(url), { method: 'PUT', body: 'abc' })).status).toBe(204);
    expect(await stored()).toBe(1);
    await collection('op_uploads').updateOne({ _id: String(key) }, { $set: { endsAt: 0 } });
    await collection('op_timers').updateMany({ command: 'sweep_uploads' }, { $set: { due: 0 } });
    await eventually(async () => (await collection('op_uploads').countDocuments()) === 0);
    await eventually(async () => (await stored()) === 0);
  });

  it('go at once with their organization, with its uploads', async () => {
    const other = String((await rig.send('POST', '/orgs', { body: { title: 'Doomed' } })).body['id']);
    const space = await makeSpace(rig, {}, `/orgs/${other}`);
    await insert(space, 'doomed');
    const body = { file: { name: 'a', type: 'a/b', size: 3 }, kind: 'space_file' };
    const { url } = (await rig.send('POST', `/orgs/${other}/storage/upload`, { body })).body;
    await fetch(String(url), { method: 'PUT', body: 'abc' });
    expect(await stored()).toBe(2);
    await rig.send('DELETE', `/orgs/${other}`);
    await eventually(async () => (await stored()) === 0, 20_000);
    await eventually(async () => (await collection('op_uploads').countDocuments()) === 0);
  });
});

it('files can be kept in MongoDB', async () => {
  const rig = await startRig({ FILES_STORE: 'mongodb' });
  try {
    const org = `/orgs/${rig.organization}`;
    const made = await rig.send('POST', `${org}/spaces`, { body: { editMode: 'live', empty: true } });
    const space = String(made.body['id']);
    const bytes = Buffer.alloc(1_000_000, 'text ');
    const file = { name: 'a', type: 'text/plain', size: bytes.length };
    const { url, key } = (await rig.send('POST', `${org}/storage/upload`, { body: { file, kind: 'space_file' } })).body;
    expect((await fetch(String(url), { method: 'PUT', body: bytes })).status).toBe(204);
    const changes = [{ operation: 'insert_files', files: [{ name: 'a', upload: key }] }];
    expect((await rig.send('POST', `/spaces/${space}/content`, { body: { changes } })).status).toBe(200);
    const [shown] = get((await rig.send('GET', `/spaces/${space}/content/files`)).body, 'items') as File[];
    expect(await (await fetch(shown?.downloadURL ?? '')).text()).toBe(bytes.toString());
    expect(await rig.store.database.collection('blobs').countDocuments()).toBe(2);
  } finally {
    await rig.stop();
  }
}, 60_000);

describe('when nothing can be stored', () => {
  it('files are refused, and nothing of them is there', async () => {
    const rig = await startRig({ FILES_STORE: 'folder:/dev/null' });
    try {
      const org = `/orgs/${rig.organization}`;
      const space = String(
        (await rig.send('POST', `${org}/spaces`, { body: { editMode: 'live', empty: true } })).body['id'],
      );
      const before = (await rig.send('GET', `/spaces/${space}/content`)).body['id'];
      const file = { name: 'a.txt', base64: 'QUJD', contentType: 'text/plain' };
      const changes = [{ operation: 'insert_files', files: [file] }];
      const refused = await rig.send('POST', `/spaces/${space}/content`, { body: { changes } });
      expect([refused.status, refused.body.error.reason]).toEqual([503, 'unavailable']);
      const body = { file: { name: 'a', type: 'a/b', size: 3 }, kind: 'space_file' };
      const { url, key } = (await rig.send('POST', `${org}/storage/upload`, { body })).body;
      const sent = await fetch(String(url), { method: 'PUT', body: 'abc' });
      expect([sent.status, sent.headers.get('retry-after')]).toEqual([503, '5']);
      const early = [{ operation: 'insert_files', files: [{ name: 'a', upload: key }] }];
      expect((await rig.send('POST', `/spaces/${space}/content`, { body: { changes: early } })).status).toBe(422);
      expect((await rig.send('GET', `/spaces/${space}/content`)).body).toMatchObject({ id: before, files: [] });
      const page = [{ operation: 'insert_page', title: 'A', document: { markdown: '' } }];
      expect((await rig.send('POST', `/spaces/${space}/content`, { body: { changes: page } })).status).toBe(200);
    } finally {
      await rig.stop();
    }
  }, 60_000);
});
