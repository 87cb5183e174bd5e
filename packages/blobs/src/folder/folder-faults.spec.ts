import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bytesOf, inPieces, sha256 } from '../test/bytes.js';
import { startWriter } from '../test/child.js';
import { soon } from '../test/contract.js';
import { everythingIn, type StorePlace } from '../test/stores.js';
import { folderBlobs } from './folder-blobs.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'blobs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const place = (): StorePlace => ({ kind: 'folder', options: { folder } });
const openFiles = () => readdirSync('/proc/self/fd').length;
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('a folder of blobs', () => {
  it('has nothing of what did not find room on the disk', async () => {
    const writer = startWriter(place(), 'acknowledge', 4_096);
    await expect(writer.said).rejects.toThrow(/BlobError: Writing a blob: EFBIG/u);
    expect(await everythingIn(place())).toEqual([]);
  });

  it('takes the bytes again when a file has lost some', async () => {
    const blobs = folderBlobs({ folder });
    const bytes = bytesOf(5_000);
    const hash = sha256(bytes);
    await blobs.write('pool', inPieces(bytes), soon());
    const file = join(folder, 'pool', hash.slice(0, 2), hash.slice(2, 4), hash);
    truncateSync(file, 10);
    expect(await blobs.stat('pool', hash)).toEqual({ hash, size: 10 });
    await blobs.write('pool', inPieces(bytes), soon());
    expect(await blobs.stat('pool', hash)).toEqual({ hash, size: 5_000 });
  });

  it('says that the store failed when a file stands in the way', async () => {
    writeFileSync(join(folder, 'pool'), '');
    const blobs = folderBlobs({ folder });
    await expect(blobs.write('pool', inPieces(bytesOf(1)), soon())).rejects.toMatchObject({ code: 'store_failed' });
    await expect(blobs.stat('pool', sha256(bytesOf(1)))).rejects.toMatchObject({ code: 'store_failed' });
  });

  it('lists nothing but pools and blobs', async () => {
    const blobs = folderBlobs({ folder });
    mkdirSync(join(folder, 'lost+found'));
    mkdirSync(join(folder, 'pool', 'ab', 'cd'), { recursive: true });
    writeFileSync(join(folder, 'pool', 'ab', 'cd', '.nfs0001'), '');
    writeFileSync(join(folder, '.DS_Store'), '');
    writeFileSync(join(folder, 'notes'), '');
    writeFileSync(join(folder, 'pool', 'ac'), '');
    expect(await blobs.listPools({ limit: 10 })).toEqual([]);
    expect(await blobs.list('pool', { limit: 10 })).toEqual([]);
    expect(await blobs.sweep({ olderThan: Date.now() + 1_000 })).toBe(0);
  });

  onLinux('closes its files, however a read or a write ends', async () => {
    const blobs = folderBlobs({ folder });
    const { hash } = await blobs.write('pool', inPieces(bytesOf(200_000)), soon());
    const before = openFiles();
    for (let n = 0; n < 30; n++) {
      (await blobs.read('pool', hash))?.stream.destroy();
      for await (const _ of (await blobs.read('pool', hash))?.stream ?? []) break;
      await blobs.read('pool', hash, { start: 200_000, end: 300_000 });
      await blobs.write('pool', inPieces(bytesOf(20)), { ...soon(), most: 3 }).catch(() => undefined);
    }
    await blobs.stat('pool', hash);
    expect(openFiles()).toBeLessThan(before + 10);
  });
});
