import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { contentBounds } from '@scriptorium/contracts';
import { withTemporaryFolder } from '../installation/temporary.js';
import { tempFolders } from '../test/temp-folder.js';
import { partsOf, readSource } from './read-source.js';

const folder = tempFolders();

/** A folder with files of these sizes. */
function folderOf(files: Readonly<Record<string, number>>): string {
  const made = folder();
  for (const [name, size] of Object.entries(files)) {
    mkdirSync(join(made, name, '..'), { recursive: true });
    writeFileSync(join(made, name), Buffer.alloc(size, name));
  }
  return made;
}

describe('the uploads of a source', () => {
  it('are the file itself, or a zip of a folder outside of it', async () => {
    const source = folderOf({ 'a.md': 10, 'b/c.md': 20, '.git/x': 5, 'node_modules/y.md': 5 });
    const temporary = folder();
    expect(await readSource(join(source, 'a.md'), temporary)).toEqual({
      uploads: [{ name: 'a.md', path: join(source, 'a.md'), size: 10 }],
      links: [],
    });
    symlinkSync(join(source, 'a.md'), join(source, 'b', 'link.md'));
    const {
      uploads: [zip, ...more],
      links,
    } = await readSource(source, temporary);
    expect(links).toEqual([join('b', 'link.md')]);
    expect([more, zip?.path.startsWith(temporary)]).toEqual([[], true]);
    const bytes = await readFile(zip?.path ?? '', 'latin1');
    expect([bytes.includes('b/c.md'), bytes.includes('.git'), bytes.includes('node_modules')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(zip?.size).toBe(bytes.length);
  });

  it('are refused when a file is larger than an upload can be, with what to do', async () => {
    const large = join(folder(), 'all.zip');
    writeFileSync(large, Buffer.alloc(contentBounds.fileBytes + 1));
    await expect(readSource(large, folder())).rejects.toThrow('unpack it and import the folder');
    await expect(readSource(join(large, '..', 'none'), folder())).rejects.toThrow('there is no');
    await expect(readSource(folder(), folder())).rejects.toThrow('has no files');
  });
});

describe('the parts of a folder', () => {
  const found = (...sizes: number[]) => sizes.map((size, at) => ({ path: `/f/${at}.md`, size }));
  const sizes = (parts: { size: number }[][]) => parts.map((part) => part.map(({ size }) => size));

  it('are no larger than an upload, have every file once, and keep the order', () => {
    expect(sizes(partsOf('/f', found(4_000, 4_000, 4_000, 100), 10_000))).toEqual([
      [4_000, 4_000],
      [4_000, 100],
    ]);
    expect(sizes(partsOf('/f', found(100, 20_000, 100), 10_000))).toEqual([[100], [20_000], [100]]);
    expect(sizes(partsOf('/f', found(100, 100), 10_000))).toEqual([[100, 100]]);
  });
});

describe('a temporary folder', () => {
  it('is removed after the work, also when that fails', async () => {
    const known: string[] = [];
    const work = (fails: boolean) => (path: string) => {
      known.push(path);
      writeFileSync(join(path, 'a.zip'), '');
      return fails ? Promise.reject(new Error('no luck')) : Promise.resolve(known.length);
    };
    expect(await withTemporaryFolder(work(false))).toBe(1);
    await expect(withTemporaryFolder(work(true))).rejects.toThrow('no luck');
    expect(known.map((path) => existsSync(path))).toEqual([false, false]);
  });
});
