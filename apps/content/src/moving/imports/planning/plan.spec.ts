import { describe, expect, it } from '@jest/globals';
import { readSummary } from '../../archive-format/index.js';
import type { Entry } from '../entry.js';
import { withoutTopFolder } from '../folder.js';
import { plan, type Planning } from './plan.js';

const entry = (size = 10): Entry => ({ archive: 0, offset: 0, name: 0, packed: size, size, crc: 0, method: 'stored' });
const filesOf = (...paths: string[]) => new Map(paths.map((path) => [path, entry()]));
const limits = { pagesPerSpace: 100, filesPerSpace: 100, reusableContentsPerSpace: 2 };

function planned(paths: string[], more: Partial<Planning> & { summaryText?: string } = {}) {
  const { summaryText, ...given } = more;
  const summary =
    summaryText === undefined ? undefined : { path: 'SUMMARY.md', entries: readSummary(summaryText), isKnown: false };
  const files = withoutTopFolder(filesOf(...paths));
  return plan({ files, summary, taken: new Set(), present: new Map(), isInPage: false, depth: 0, limits, ...given });
}

/** Pages as `type title (path) < place of the parent`. */
const pagesOf = ({ items }: ReturnType<typeof plan>) =>
  items.flatMap((item) => {
    if (item.kind !== 'page') return [];
    const { type, title, path, parent } = item;
    return [`${type} ${title}${path === undefined ? '' : ` (${path})`}${parent === undefined ? '' : ` < ${parent}`}`];
  });

describe('the plan of an import', () => {
  it('has folders as groups at the top and as pages within, each with its first file, in the order of names', () => {
    expect(
      pagesOf(planned(['z.md', 'README.md', 'b/10.md', 'b/9.md', 'a/README.md', 'a/c/x.md', 'img/a.png'])),
    ).toEqual([
      'document README (README.md)',
      'document A (a/README.md)',
      'document C < 1',
      'document X (a/c/x.md) < 2',
      'group B',
      'document 9 (b/9.md) < 4',
      'document 10 (b/10.md) < 4',
      'document Z (z.md)',
    ]);
  });

  it('has what the table of contents lists: a page once, further entries as links, and says what is missing', () => {
    const summaryText =
      '* [A](a.md)\n* [Again](./a.md)\n* [Part](a.md#x)\n* [Gone](gone.md)\n  * [B](b.md)\n* [Nowhere](none.md)\n';
    const made = planned(['SUMMARY.md', 'a.md', 'b.md', 'c.md'], { summaryText });
    expect(pagesOf(made)).toEqual([
      'document A (a.md)',
      'link Again',
      'link Part',
      'document Gone',
      'document B (b.md) < 3',
    ]);
    expect(made.warnings).toEqual([
      { kind: 'missing_page', path: 'SUMMARY.md', target: 'gone.md' },
      { kind: 'missing_page', path: 'SUMMARY.md', target: 'none.md' },
      { kind: 'unlisted_page', path: 'c.md' },
    ]);
  });

  it('has no groups within a page', () => {
    expect(pagesOf(planned(['a/x.md', 'y.md'], { isInPage: true, depth: 1 }))[0]).toBe('document A');
  });

  it('keeps ids of pages at the same path, and gives all new ones where one is taken', () => {
    const present = new Map([['a.md', { id: 'there', createdAt: '', order: 'a0' }]]);
    const ids = (made: ReturnType<typeof plan>) => made.items.map(({ id, formerId }) => [id, formerId]);
    expect(ids(planned(['a.md', 'b.md'], { present }))).toEqual([
      ['there', undefined],
      [undefined, undefined],
    ]);
    expect(ids(planned(['a.md'], { present, taken: new Set(['there']) }))).toEqual([[undefined, 'there']]);
  });

  it('is refused beyond the limits of a space', () => {
    const many = (folder: string, count: number) => Array.from({ length: count }, (_, n) => `${folder}p${n}.md`);
    expect(() => planned(many('', 101))).toThrow('pagesPerSpace');
    expect(() => planned(many('.gitbook/includes/', 3))).toThrow('reusableContentsPerSpace');
    expect(() => planned([`${'d/'.repeat(32)}x.md`, 'README.md'])).toThrow('at most 32 deep');
    expect(() =>
      plan({
        files: new Map([['a.md', entry(600_000)]]),
        taken: new Set(),
        present: new Map(),
        isInPage: false,
        depth: 0,
        limits,
      }),
    ).toThrow('at most 524288 bytes');
  });

  it('leaves out files that are larger than a file can be, and says so', () => {
    const files = new Map([...filesOf('a.md', 'b.png'), ['video.mp4', entry(101 * 1024 * 1024)] as const]);
    const made = planned([], { files });
    expect(made.warnings).toEqual([{ kind: 'too_large', path: 'video.mp4' }]);
    expect(made.items.map(({ path }) => path)).toEqual(['a.md', 'b.png']);
  });
});
