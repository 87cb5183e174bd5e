import { describe, expect, it } from '@jest/globals';
import type { Entry } from '../entry.js';
import { chosenFolder } from './chosen-folder.js';
import { readBook, readConfig } from './settings-files.js';

const entry: Entry = { archive: 0, offset: 0, name: 0, packed: 1, size: 1, crc: 0, method: 'stored' };

/** What is chosen of files whose texts are given. */
function chosen(texts: Record<string, string>) {
  const all = new Map(Object.keys(texts).map((path) => [path, entry]));
  const read = (path: string) => texts[path];
  const book = read('book.toml');
  const settings = { config: readConfig(read('.gitbook.yaml')), book: book === undefined ? undefined : readBook(book) };
  const { files, summary, warnings } = chosenFolder(all, { ...settings, read });
  return { files: [...files.keys()], summary, warnings };
}

describe('the folder of an import', () => {
  it('is that of the settings, and what does not stand in it is told', () => {
    expect(
      chosen({ '.gitbook.yaml': 'root: ./docs/', 'docs/a.md': '', 'b.png': '', 'b.md': '', 'docs/SUMMARY.md': '' }),
    ).toEqual({
      files: ['a.md', 'SUMMARY.md'],
      summary: 'SUMMARY.md',
      warnings: [
        {
          kind: 'outside_root',
          path: '.gitbook.yaml',
          target: 'docs',
          message: '2 files, of which 1 could be pages: b.md, b.png',
        },
      ],
    });
  });

  it('tells how many files stand elsewhere, and some of them', () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`src/${n}-${'x'.repeat(100)}.js`, '']));
    const [warning] = chosen({ '.gitbook.yaml': 'root: docs', 'docs/a.md': '', ...many }).warnings;
    expect(warning?.message).toMatch(/^400 files, of which 0 could be pages: src\/0-x/);
    expect(warning?.message?.length).toBe(1_024);
  });

  it('is refused when the settings name one without files', () => {
    expect(() => chosen({ '.gitbook.yaml': 'root: docs', 'a.md': '' })).toThrow('docs: It has no files');
  });

  it('is that of a book, which is `src` unless it says otherwise', () => {
    const book = { 'README.md': '', 'src/SUMMARY.md': '', 'text/SUMMARY.md': '' };
    expect(chosen({ ...book, 'book.toml': '[book]\ntitle = "A"\n\n[output.html]\nsrc = "no"\n' }).files).toEqual([
      'SUMMARY.md',
    ]);
    const named = chosen({ ...book, 'book.toml': '[build]\n[ book ] # x\nauthors = ["B"]\n  src = \'text\'\n' });
    expect(named.warnings[0]).toMatchObject({ path: 'book.toml', target: 'text' });
    expect(chosen({ 'book.toml': '[book]\nsrc = "../x"\n', 'a.md': '' })).toMatchObject({ summary: undefined });
    expect(chosen({ 'book.toml': '[book]\nsrc = "."\n', 'SUMMARY.md': '', 'a.md': '' }).summary).toBe('SUMMARY.md');
  });

  it('is the one with the only list of pages, if most pages stand in it', () => {
    const list = { 'src/SUMMARY.md': '- [A](a.md)', 'src/a.md': '', LICENSE: '' };
    expect(chosen(list)).toMatchObject({
      files: ['SUMMARY.md', 'a.md'],
      summary: 'SUMMARY.md',
      warnings: [{ path: 'src/SUMMARY.md', target: 'src', message: '1 file, of which 0 could be pages: LICENSE' }],
    });
    for (const more of [
      { 'b.md': '', 'c.md': '' },
      { 'other/SUMMARY.md': '' },
      { 'SUMMARY.md': '' },
      { 'src/SUMMARY.md': 'This is a page that sums something up.' },
    ])
      expect(chosen({ ...list, ...more })).toMatchObject({ files: Object.keys({ ...list, ...more }), warnings: [] });
  });
});
