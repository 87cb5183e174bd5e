import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyBlobs } from './copy-blobs.js';
import { openBlobs } from './open-blobs.js';
import { type Blobs } from './port/blobs.js';

let root: string;
let from: Blobs;
let to: Blobs;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'blobs-copy-'));
  const places = { folder: join(root, 'from'), mongo: { url: '', database: '' }, s3: { region: 'x' } };
  from = await openBlobs('folder', places);
  to = await openBlobs(`folder:${join(root, 'to')}`, places);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const write = async (store: Blobs, pool: string, body: string) =>
  (await store.write(pool, Readable.from([Buffer.from(body)]), { most: 1_000, deadline: Date.now() + 60_000 })).hash;

describe('a copy of a store', () => {
  it('brings what the other one lacks, pool by pool', async () => {
    const a = await write(from, 'one', 'a');
    const b = await write(from, 'two', 'bb');
    await write(to, 'one', 'a');
    const seen: number[] = [];
    await expect(copyBlobs(from, to, (done) => seen.push(done))).resolves.toEqual({ copied: 1, present: 1, bytes: 3 });
    expect(seen).toEqual([1, 2]);
    expect(await to.stat('one', a)).toEqual({ hash: a, size: 1 });
    const read = await to.read('two', b);
    expect(read && (await text(read.stream))).toBe('bb');
    await expect(copyBlobs(from, to, () => undefined)).resolves.toEqual({ copied: 0, present: 2, bytes: 3 });
  });

  it('refuses bytes that are not those of their name, and leaves nothing of them', async () => {
    const hash = await write(from, 'three', 'right');
    const [file = ''] = (await readdir(join(root, 'from', 'three'), { recursive: true })).filter((name) =>
      name.endsWith(hash),
    );
    await rm(join(root, 'from', 'three', file));
    await writeFile(join(root, 'from', 'three', file), 'wrong');
    await expect(copyBlobs(from, to, () => undefined)).rejects.toMatchObject({ code: 'damaged' });
    expect(await to.list('three', { limit: 10 })).toEqual([]);
  });
});
