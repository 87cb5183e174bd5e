import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { layOutPages } from '../test/lay-out-pages.js';
import { fontsFor, readFonts } from './font-files.process.js';

const packages = createRequire(import.meta.url);
const face = (name: string, file: string) =>
  join(dirname(packages.resolve(`@expo-google-fonts/${name}/package.json`)), file);
const thai = face('noto-sans-thai', '400Regular/NotoSansThai_400Regular.ttf');

/** A font that says it has the letters of these bits, whatever it has. */
async function fontWith(...bits: number[]): Promise<Buffer> {
  const font = await readFile(thai);
  for (let entry = 12; ; entry += 16) {
    if (font.toString('latin1', entry, entry + 4) !== 'OS/2') continue;
    const ranges = font.readUInt32BE(entry + 8) + 42;
    font.fill(0, ranges, ranges + 16);
    for (const bit of bits) {
      const at = ranges + Math.floor(bit / 32) * 4;
      font.writeUInt32BE((font.readUInt32BE(at) | (1 << (bit % 32))) >>> 0, at);
    }
    return font;
  }
}

const [hangul, han] = [56, 59];

describe('the folder of further fonts', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fonts-'));
    const files: [string, Buffer][] = [
      ['NotoSansKR-Bold.ttf', await fontWith(hangul, han)],
      ['NotoSansKR-Regular.ttf', await fontWith(hangul, han)],
      ['NotoSansSC-Regular.otf', await fontWith(han)],
      ['NotoSansTC-Regular.ttf', await fontWith(han)],
      ['cut.ttf', (await readFile(thai)).subarray(0, 20)],
      ['none.ttf', Buffer.from('#read("/etc/passwd")')],
      ['notes.txt', Buffer.from('No font.')],
    ];
    for (const [name, bytes] of files) await writeFile(join(folder, name), bytes);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const namesFor = async (language: string, ...scripts: string[]) => {
    const { files, missing } = fontsFor(await readFonts(folder), scripts, language);
    return [files.filter((path) => path.startsWith(folder)).map((path) => basename(path)), missing];
  };

  it('has the fonts of scripts for which there are none otherwise, regular and bold', async () => {
    expect(fontsFor(await readFonts(undefined), ['Hang', 'Geor'], 'ko').missing).toEqual(['Hang', 'Geor']);
    expect(await namesFor('ko', 'Hang', 'Geor')).toEqual([['NotoSansKR-Bold.ttf', 'NotoSansKR-Regular.ttf'], ['Geor']]);
    expect((await readFonts(folder)).version).not.toBe((await readFonts(undefined)).version);
  });

  it.each([
    ['zh', ['Hani'], ['NotoSansSC-Regular.otf']],
    ['zh-Hant-TW', ['Hani'], ['NotoSansTC-Regular.ttf']],
    ['zh-HK', ['Hani'], ['NotoSansTC-Regular.ttf']],
    ['ko-KR', ['Hani'], ['NotoSansKR-Bold.ttf', 'NotoSansKR-Regular.ttf']],
    ['zh', ['Hani', 'Hira'], ['NotoSansSC-Regular.otf']],
    ['en', ['Hani'], ['NotoSansSC-Regular.otf']],
    ['en', ['Hani', 'Kana'], []],
    ['ja', ['Hani'], []],
  ])('has the Chinese characters of %s with %j in %j', async (language, scripts, wanted) => {
    expect(await namesFor(language, ...scripts)).toEqual([wanted, []]);
  });

  it('with one font for all languages has all of its faces', async () => {
    const all = await mkdtemp(join(tmpdir(), 'fonts-'));
    try {
      for (const style of ['Bold', 'Regular'])
        await cp(join(folder, 'NotoSansSC-Regular.otf'), join(all, `NotoSansCJK-${style}.otf`));
      const { files } = fontsFor(await readFonts(all), ['Hani'], 'zh');
      expect(files.filter((path) => path.startsWith(all))).toHaveLength(2);
    } finally {
      await rm(all, { recursive: true });
    }
  });

  it('is used by a layout', async () => {
    const pages = [{ id: 'p', markdown: '한국어' }];
    expect((await layOutPages(pages)).missing).toEqual(['Hang']);
    expect((await layOutPages(pages, { fontsDir: folder, language: 'ko' })).missing).toEqual([]);
  });
});
