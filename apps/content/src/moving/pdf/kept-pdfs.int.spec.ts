import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { folderBlobs, type Blobs } from '@scriptorium/blobs';
import { join } from 'node:path';
import { eventually, startRig, type Rig } from '../../test/own-rig.js';
import { changeContentOf, page } from '../../test/pages.js';
import { emptySpace } from '../../test/zips.js';
import { readPdf } from './test/read-pdf.js';
import { dropUnused, keptMs, makeRoom, poolOfPdfs } from './pdf-store.process.js';

jest.setTimeout(180_000);

interface Kept {
  _id: string;
  space: string;
  at: number;
  made?: { hash: string; size: number };
}

describe('PDFs that were made', () => {
  let rig: Rig;
  let blobs: Blobs;
  beforeAll(async () => {
    rig = await startRig();
    blobs = folderBlobs({ folder: join(rig.folder, 'files') });
  }, 60_000);
  afterAll(async () => {
    await blobs.close();
    await rig.stop();
  });

  const collection = () => rig.store.database.collection<Kept>('op_pdfs');
  const kept = async (space: string) => collection().find({ space }).sort({ at: 1 }).toArray();
  const bytesOf = async (space: string) => (await blobs.list(poolOfPdfs(space), { limit: 100 })).length;
  const files = { blobs: () => Promise.resolve(blobs) };
  const scopeAt = (now: number) => ({ database: rig.store.database, now: () => now });
  const fetched = async (url: unknown): Promise<number> => {
    const answer = await fetch(String(url));
    await answer.arrayBuffer();
    return answer.status;
  };
  /** A space with PDFs of two pages, and the addresses of these; the first one was used longest ago. */
  const printed = async (organization = rig.organization) => {
    const space = await emptySpace({ ...rig, organization });
    const ids = await changeContentOf(rig, space, [
      page('One', 'First.', { ref: 'a' }),
      page('Two', 'Second.', { ref: 'b' }),
    ]);
    const urls: string[] = [];
    for (const ref of ['a', 'b']) {
      const { body } = await rig.send('GET', `/spaces/${space}/pdf?only=true&page=${ids[ref] ?? ''}`);
      urls.push(String(body['url']));
      expect(await fetched(body['url'])).toBe(200);
    }
    expect(await bytesOf(space)).toBe(2);
    return { space, urls };
  };
  const timers = () => rig.store.database.collection<{ _id: string; due: number }>('op_timers');

  it('make room for others, the one first that was used longest ago, and are made again', async () => {
    const { space, urls } = await printed();
    const [first, second] = await kept(space);
    const size = (
      await collection()
        .find({ made: { $exists: true } })
        .toArray()
    ).reduce((sum, { made }) => sum + (made?.size ?? 0), 0);
    await makeRoom(scopeAt(Date.now()), files, second?._id ?? '', size - 1);
    expect((await kept(space)).map(({ _id, made }) => [_id, made !== undefined])).toEqual([
      [first?._id, false],
      [second?._id, true],
    ]);
    expect(await bytesOf(space)).toBe(1);
    // The one that room is made for stays, also where it alone is too much.
    await makeRoom(scopeAt(Date.now()), files, second?._id ?? '', 0);
    expect(await bytesOf(space)).toBe(1);
    expect(await fetched(urls[0])).toBe(200);
    expect(await bytesOf(space)).toBe(2);
  });

  it('go a day after they were used last', async () => {
    const { space } = await printed();
    const [first, second] = await kept(space);
    const at = second?.at ?? 0;
    await collection().updateOne({ _id: first?._id ?? '' }, { $set: { at: at - 1_000 } });
    const others = { space: { $ne: space } };
    await collection().updateMany(others, { $set: { at } });
    expect(await dropUnused(scopeAt(at - 1_000 + keptMs), files)).toBe(at - 1_000 + keptMs + 1);
    expect(await bytesOf(space)).toBe(2);
    expect(await dropUnused(scopeAt(at + keptMs), files)).toBe(at + keptMs + 1);
    expect((await kept(space)).map(({ _id }) => _id)).toEqual([second?._id]);
    expect(await bytesOf(space)).toBe(1);
    expect(await dropUnused(scopeAt(at + keptMs + 1), files)).toBeUndefined();
    expect(await bytesOf(space)).toBe(0);
  });

  it('are looked after by a timer, which is set again for those that were used since', async () => {
    const { space } = await printed();
    const [first] = await kept(space);
    await collection().updateOne({ _id: first?._id ?? '' }, { $set: { at: 1 } });
    const isSweep = { _id: { $gte: 'sweep_pdfs:', $lt: 'sweep_pdfs;' } };
    const [timer] = await timers().find(isSweep).toArray();
    if (timer === undefined) throw new Error('There is no timer');
    const { _id: _, ...same } = timer;
    await timers().deleteMany(isSweep);
    await timers().insertOne({ ...same, _id: 'sweep_pdfs:0', due: 0 });
    await eventually(async () => (await kept(space)).length === 1 && (await bytesOf(space)) === 1);
    await eventually(async () => {
      const [next, ...others] = await timers().find(isSweep).toArray();
      return next !== undefined && others.length === 0 && next.due > Date.now() + keptMs - 60_000;
    });
  });

  it('that name somebody go with them, and are made again without the name', async () => {
    const ann = await rig.member('Ann Quillfeather', 'read');
    const mention = { object: 'inline', type: 'mention', isVoid: true, data: { ref: { kind: 'user', user: ann.id } } };
    const leaf = { object: 'text', leaves: [{ object: 'leaf', text: 'Ask ', marks: [] }] };
    const paragraph = { object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes: [leaf, mention] };
    const document = { document: { object: 'document', data: {}, nodes: [paragraph] } };
    const space = await emptySpace(rig);
    await changeContentOf(rig, space, [{ operation: 'insert_page', title: 'People', document }]);
    const { url } = (await rig.send('GET', `/spaces/${space}/pdf`)).body;
    const text = async () => {
      const answer = await fetch(String(url));
      return (await readPdf(new Uint8Array(await answer.arrayBuffer()))).texts.join(' ');
    };
    expect(await text()).toContain('Ann Quillfeather');
    expect((await rig.send('DELETE', '/user', { token: ann.token })).status).toBe(205);
    await eventually(async () => (await bytesOf(space)) === 0);
    const again = await text();
    expect(again).toContain('Ask');
    expect(again).not.toContain('Quillfeather');
  });

  it('go with their space, and with their organization', async () => {
    const { space } = await printed();
    const other = String((await rig.send('POST', '/orgs', { body: { title: 'Other' } })).body['id']);
    const { space: second } = await printed(other);
    const third = await printed();
    await rig.send('DELETE', `/spaces/${space}`);
    // The timer that purges it would take seven days.
    const purge = { _id: `purge_deleted:${space}` };
    await eventually(async () => (await timers().updateOne(purge, { $set: { due: 0 } })).matchedCount === 1);
    expect((await rig.send('DELETE', `/orgs/${other}`)).status).toBe(205);
    for (const one of [space, second])
      await eventually(async () => (await kept(one)).length === 0 && (await bytesOf(one)) === 0);
    expect([(await kept(third.space)).length, await bytesOf(third.space)]).toEqual([2, 2]);
  });
});
