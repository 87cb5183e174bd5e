import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { tempFolders } from '../test/temp-folder.js';
import { checkFiles, copyFiles, filesFolder } from './files-folder.js';

const folder = tempFolders();

function store(root: string, pool: string, text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  const shelf = join(root, pool, hash.slice(0, 2), hash.slice(2, 4));
  mkdirSync(shelf, { recursive: true });
  writeFileSync(join(shelf, hash), text);
  return join(pool, hash.slice(0, 2), hash.slice(2, 4), hash);
}

describe('the folder of files', () => {
  it('is that of the setting, if it is one', () => {
    expect(filesFolder('/data', 'folder')).toBe('/data/files');
    expect(filesFolder('/data', 'folder:/srv/files')).toBe('/srv/files');
    expect(filesFolder('/data', 'mongodb')).toBeUndefined();
    expect(filesFolder('/data', 's3:bucket')).toBeUndefined();
  });

  it('is copied without what is being written, for its owner alone', async () => {
    const [from, to] = [folder(), folder()];
    const name = store(from, 'pool', 'some bytes');
    mkdirSync(join(from, 'pool', 'parts'));
    writeFileSync(join(from, 'pool', 'parts', 'draft'), 'half');
    await copyFiles(from, join(to, 'files'));
    expect(readFileSync(join(to, 'files', name), 'utf8')).toBe('some bytes');
    expect(statSync(join(to, 'files', name)).mode & 0o077).toBe(0);
    expect(existsSync(join(to, 'files', 'pool', 'parts'))).toBe(false);
    await copyFiles(join(from, 'nothing'), join(to, 'nothing'));
    expect(existsSync(join(to, 'nothing'))).toBe(false);
  });

  it('is sound when every file has the bytes of its name', async () => {
    const from = folder();
    const name = store(from, 'pool', 'some bytes');
    expect(await checkFiles(from)).toEqual({ sound: true, lines: ['files: sound (1 files, 10 bytes)'] });
    writeFileSync(join(from, name), 'some bites');
    const { sound, lines } = await checkFiles(from);
    expect([sound, lines[0]]).toEqual([false, expect.stringContaining(`${join(from, name)}: the bytes are not those`)]);
    expect(await checkFiles(join(from, 'nothing'))).toEqual({ sound: true, lines: [] });
  });
});
