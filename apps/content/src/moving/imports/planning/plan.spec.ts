import { describe, expect, it } from '@jest/globals';
import { readSummary } from '../../archive-format/index.js';
import type { Entry } from '../entry.js';
import { withoutTopFolder } from '../folder.js';
import { plan } from './plan.js';
import type { Planning } from './planning.js';
import { nothingPresent, type PresentContent, type PresentPage } from './present.js';

const entry = (size = 10): Entry => ({ archive: 0, offset: 0, name: 0, packed: size, size, crc: 0, method: 'stored' });
const filesOf = (...paths: string[]) => new Map(paths.map((path) => [path, entry()]));
const limits = { pagesPerSpace: 100, filesPerSpace: 100, reusableContentsPerSpace: 2 };

function planned(paths: string[], more: Partial<Planning> & { summaryText?: string } = {}) {
  const { summaryText, ...given } = more;
  const summary =
    summaryText === undefined ? undefined : { path: 'SUMMARY.md', entries: readSummary(summaryText), isKnown: false };
  const files = withoutTopFolder(filesOf(...paths));
  return plan({
    files,
    summary,
    taken: new Set(),
    present: nothingPresent,
    isInPage: false,
    depth: 0,
    limits,
    ...given,
  });
}

function presentWith(...pages: (Pick<PresentPage, 'id'> & Partial<PresentPage>)[]): PresentContent {
  return {
    pages: pages.map((page) => ({ type: 'document', title: 'Page', createdAt: '', order: 'a0', ...page })),
    others: [],
  };
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

  it('has one page for a folder and the file beside it that has its name, with and without the ids of Notion', () => {
    const id = '0123456789abcdef0123456789abcdef';
    const paths = [
      'My guide.md',
      'My guide/Part one.md',
      'My guide/Part one/Deep.md',
      'My guide/Part one/Deep/End.md',
      `Notes ${id}.md`,
      `Notes ${id}/Inner ${id}.md`,
      `Notes ${id}/Inner/Last ${id}.md`,
      'both.md',
      'both/README.md',
    ];
    expect(pagesOf(planned(paths))).toEqual([
      'document Both (both/README.md)',
      'document Both (both.md)',
      'document My guide (My guide.md)',
      'document Part one (My guide/Part one.md) < 2',
      'document Deep (My guide/Part one/Deep.md) < 3',
      'document End (My guide/Part one/Deep/End.md) < 4',
      `document Notes (Notes ${id}.md)`,
      `document Inner (Notes ${id}/Inner ${id}.md) < 6`,
      `document Last (Notes ${id}/Inner/Last ${id}.md) < 7`,
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
    const present = presentWith({ id: 'there', path: 'a.md' });
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
  });

  it('leaves out files that are larger than a file can be, and says so', () => {
    const files = new Map([...filesOf('a.md', 'b.png'), ['video.mp4', entry(101 * 1024 * 1024)] as const]);
    const made = planned([], { files });
    expect(made.warnings).toEqual([{ kind: 'too_large', path: 'video.mp4' }]);
    expect(made.items.map(({ path }) => path)).toEqual(['a.md', 'b.png']);
  });

  it('has pages that are too long, and says of each why it cannot be read', () => {
    const files = new Map([...filesOf('b.md'), ['a.md', entry(600_000)] as const]);
    const { items } = planned([], { files });
    expect(items.map(({ path, unreadable }) => [path, unreadable])).toEqual([
      ['a.md', 'It has 600000 bytes; a page has at most 524288'],
      ['b.md', undefined],
    ]);
  });
});

describe('pages that an import replaces', () => {
  const idsOf = ({ items }: ReturnType<typeof plan>) => items.map(({ id }) => id);

  it('are known by the file that they came from, before the path that they have now', () => {
    const present = presentWith(
      { id: 'moved', path: 'b.md', importedFrom: { path: 'a.md' } },
      { id: 'new', path: 'a.md' },
      { id: 'start', path: 'hello.md', importedFrom: { path: 'README.md' } },
      { id: 'spaces', path: 'my-page-v1-2.md', importedFrom: { path: 'My Page v1.2.md' } },
    );
    expect(idsOf(planned(['README.md', 'a.md', 'b.md', 'My Page v1.2.md'], { present }))).toEqual([
      'start',
      'moved',
      undefined,
      'spaces',
    ]);
  });

  it('without a file are known by what they are in the same parent', () => {
    const present = presentWith(
      { id: 'one', type: 'group', title: 'Guides' },
      { id: 'two', type: 'group', title: 'Guides' },
      { id: 'folder', title: 'More', parent: 'one' },
      { id: 'away', type: 'link', title: 'Away', target: { kind: 'url', url: 'https://example.org/' } },
    );
    const summaryText =
      '## Guides\n\n* More\n  * [A](a.md)\n\n## Guides\n\n* [B](b.md)\n\n***\n\n* [Away](https://example.org/)\n* [Away](https://example.org/2)\n';
    const made = planned(['SUMMARY.md', 'a.md', 'b.md'], { present, summaryText });
    expect(idsOf(made)).toEqual(['one', 'folder', undefined, 'two', undefined, 'away', undefined]);
    const folders = presentWith({ id: 'b', type: 'group', title: 'Other', importedFrom: { path: 'b/' } });
    expect(idsOf(planned(['a.md', 'b/x.md'], { present: folders }))).toEqual([undefined, 'b', undefined]);
  });

  it('are known by their slugs if no file was noted when they were made', () => {
    const present = presentWith(
      { id: 'a', slug: 'my-folder', path: 'my-folder/README.md' },
      { id: 'x', slug: 'the-x', parent: 'a', path: 'my-folder/the-x.md' },
    );
    expect(idsOf(planned(['My Folder/README.md', 'My Folder/The X.md', 'z.md'], { present }))).toEqual([
      'a',
      'x',
      undefined,
    ]);
  });
});
