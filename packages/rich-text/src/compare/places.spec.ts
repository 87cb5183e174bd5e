import { describe, expect, it } from '@jest/globals';
import { hash, merge, parseMarkdown, toMarkdown, type RichDocument } from '../index.js';

const read = (markdown: string, previous?: RichDocument): RichDocument =>
  parseMarkdown(markdown, previous ? { previous } : {}).document;
const written = (markdown: string): string => toMarkdown(read(markdown));
const hint = (text: string): string => `{% hint style="info" %}\n${text}\n{% endhint %}`;

/** Merged both ways round, which must not matter where nothing has to be asked. */
function merged(base: string, ours: string, theirs: string): { text: string; conflicts: string[] } {
  const root = read(base);
  const [a, b] = [read(ours, root), read(theirs, root)];
  const [one, other] = [merge(root, a, b), merge(root, b, a)];
  const kinds = one.conflicts.map(({ kind }) => kind);
  expect(other.conflicts.map(({ kind }) => kind)).toEqual(kinds);
  if (kinds.length === 0) expect(hash(other.document, { keys: false })).toBe(hash(one.document, { keys: false }));
  return { text: toMarkdown(one.document), conflicts: kinds };
}

const sections = '## A\n\nOne of A.\n\nTwo of A.\n\n## B\n\nOne of B.\n\nTwo of B.';

describe('an addition of one side, where the other side', () => {
  it.each([
    [
      'put a title over what follows',
      '## A\n\nalpha\n\n## B\n\nbravo',
      '## A\n\nalpha\n\n## New\n\ntext\n\n## B\n\nbravo',
      '## A\n\nalpha\n\n## Group\n\n### B\n\nbravo',
      '## A\n\nalpha\n\n## New\n\ntext\n\n## Group\n\n### B\n\nbravo',
    ],
    [
      'moved what stood before a new section',
      sections,
      sections.replace('\n\n## B', '\n\n## New\n\ntext\n\n## B'),
      '## A\n\nOne of A.\n\n## B\n\nOne of B.\n\nTwo of A.\n\nTwo of B.',
      '## A\n\nOne of A.\n\n## New\n\ntext\n\n## B\n\nOne of B.\n\nTwo of A.\n\nTwo of B.',
    ],
    [
      'moved something before a new section at the end',
      sections,
      `${sections}\n\n## New\n\ntext`,
      '## A\n\nOne of A.\n\n## B\n\nOne of B.\n\nTwo of B.\n\nTwo of A.',
      '## A\n\nOne of A.\n\n## B\n\nOne of B.\n\nTwo of B.\n\nTwo of A.\n\n## New\n\ntext',
    ],
    [
      'moved the section it is the end of',
      sections,
      `${sections}\n\nMore on B.`,
      '## B\n\nOne of B.\n\nTwo of B.\n\n## A\n\nOne of A.\n\nTwo of A.',
      '## B\n\nOne of B.\n\nTwo of B.\n\nMore on B.\n\n## A\n\nOne of A.\n\nTwo of A.',
    ],
    [
      'wrapped what follows',
      'one.\n\nfour.',
      'one.\n\nnew.\n\nfour.',
      `one.\n\n${hint('four.')}`,
      `one.\n\nnew.\n\n${hint('four.')}`,
    ],
    [
      'made an item of what follows',
      'one.\n\nfour.',
      'one.\n\nnew.\n\nfour.',
      'one.\n\n* four.',
      'one.\n\nnew.\n\n* four.',
    ],
    [
      'wrapped both neighbours',
      'one.\n\nfour.\n\nfive.',
      'one.\n\nfour.\n\nnew.\n\nfive.',
      `one.\n\n${hint('four.\n\nfive.')}`,
      `one.\n\n${hint('four.\n\nnew.\n\nfive.')}`,
    ],
    [
      'cut the list in two',
      '* a one\n* b two\n* c three\n* d four',
      '* a one\n* b two\n* c three\n* new\n* d four',
      '* a one\n* b two\n\nThen:\n\n* c three\n* d four',
      '* a one\n* b two\n\nThen:\n\n* c three\n* new\n* d four',
    ],
    [
      'cut the list in two, at its end',
      '* a one\n* b two\n* c three',
      '* a one\n* b two\n* c three\n* new',
      '* a one\n* b two\n\nThen:\n\n* c three',
      '* a one\n* b two\n\nThen:\n\n* c three\n* new',
    ],
    [
      'began the same list',
      '* one item\n* two item',
      '* one item\n  * sub first\n* two item',
      '* one item\n  * sub first\n  * sub more\n* two item',
      '* one item\n  * sub first\n  * sub more\n* two item',
    ],
    [
      'wrote below the same new heading',
      '## 1.0\n\nWords.',
      '## 1.0\n\nWords.\n\n### Fixed\n\n* One',
      '## 1.0\n\nWords.\n\n### Fixed\n\n* One\n* Two',
      '## 1.0\n\nWords.\n\n### Fixed\n\n* One\n* Two',
    ],
  ])('%s, stands where it belongs', (_name, base, ours, theirs, expected) => {
    expect(merged(base, ours, theirs)).toEqual({ text: written(expected), conflicts: [] });
  });
});

describe('moves of both sides', () => {
  const four = ['aa one', 'bb two', 'cc three', 'dd four'];
  const page = (...order: number[]): string => order.map((at) => four[at]).join('\n\n');

  it.each([
    ['in two places both count', page(0, 1, 2, 3), page(1, 0, 2, 3), page(0, 1, 3, 2), page(1, 0, 3, 2)],
    [
      'beside what the other wrapped both count',
      page(0, 1, 2, 3),
      page(0, 1, 2, 3).replace('cc three', hint('cc three')),
      page(1, 0, 2, 3),
      page(1, 0, 2, 3).replace('cc three', hint('cc three')),
    ],
    [
      'beside what the other unwrapped both count',
      page(0, 1, 2, 3).replace('cc three', hint('cc three')),
      page(0, 1, 2, 3),
      page(1, 0, 2, 3).replace('cc three', hint('cc three')),
      page(1, 0, 2, 3),
    ],
  ])('%s', (_name, base, ours, theirs, expected) => {
    expect(merged(base, ours, theirs)).toEqual({ text: written(expected), conflicts: [] });
  });

  it('that exclude each other are a conflict that holds both orders', () => {
    const root = read(page(0, 1, 2));
    const [a, b] = [read(page(2, 0, 1), root), read(page(1, 2, 0), root)];
    const keys = (document: RichDocument): Array<string | undefined> => document.nodes.map(({ key }) => key);
    expect(merge(root, a, b).conflicts).toEqual([
      {
        kind: 'order',
        key: '',
        base: null,
        ours: null,
        theirs: null,
        orders: { base: keys(root), ours: keys(a), theirs: keys(b) },
      },
    ]);
  });
});

describe('items that are put below others', () => {
  it.each([
    [
      'and ticked',
      '- [ ] quebec kilo\n- [ ] door rice grape echo',
      '- [ ] quebec kilo\n  - [ ] door rice grape echo',
      '- [ ] quebec kilo\n- [x] door rice grape echo',
      '- [ ] quebec kilo\n  - [x] door rice grape echo',
    ],
    [
      'of one that is ticked',
      '- [ ] quebec kilo\n- [ ] door rice grape echo',
      '- [ ] quebec kilo\n  - [ ] door rice grape echo',
      '- [x] quebec kilo\n- [ ] door rice grape echo',
      '- [x] quebec kilo\n  - [ ] door rice grape echo',
    ],
    [
      'and back, of one that is ticked',
      '- [ ] aa one\n  - [ ] bb two three four',
      '- [ ] aa one\n- [ ] bb two three four',
      '- [x] aa one\n  - [ ] bb two three four',
      '- [x] aa one\n- [ ] bb two three four',
    ],
    [
      'and back, and ticked',
      '- [ ] aa one\n  - [ ] bb two three four',
      '- [ ] aa one\n- [ ] bb two three four',
      '- [ ] aa one\n  - [x] bb two three four',
      '- [ ] aa one\n- [x] bb two three four',
    ],
  ])('stay apart from the items around them: %s', (_name, base, ours, theirs, expected) => {
    expect(merged(base, ours, theirs)).toEqual({ text: written(expected), conflicts: [] });
  });
});

describe('columns and rows', () => {
  const table = (...rows: string[]): string => rows.map((row) => `| ${row} |`).join('\n');

  it.each([
    [
      'a renamed column with a new one beside it',
      ['k | v', '- | -', 'a | 1', 'b | 2'],
      ['k | value | note', '- | - | -', 'a | 1 |', 'b | 2 |'],
      ['k | v', '- | -', 'a | 1', 'b | 2', 'c | 3'],
      ['k | value | note', '- | - | -', 'a | 1 |', 'b | 2 |', 'c | 3 |'],
    ],
    [
      'a renamed first column with a new one',
      ['k | v', '- | -', 'a | 1', 'b | 2'],
      ['name | v | note', '- | - | -', 'a | 1 |', 'b | 2 |'],
      ['k | v', '- | -', 'a | 1', 'b | 2', 'c | 3'],
      ['name | v | note', '- | - | -', 'a | 1 |', 'b | 2 |', 'c | 3 |'],
    ],
    [
      'a deleted row and a new column',
      ['k | v', '- | -', 'a | 1', 'b | 2'],
      ['k | v', '- | -', 'b | 2'],
      ['k | v | n', '- | - | -', 'a | 1 |', 'b | 2 |'],
      ['k | v | n', '- | - | -', 'b | 2 |'],
    ],
    [
      'a deleted row and a deleted column',
      ['k | v', '- | -', 'a | 1', 'b | 2'],
      ['k | v', '- | -', 'b | 2'],
      ['k', '-', 'a', 'b'],
      ['k', '-', 'b'],
    ],
  ])('that one side changed do not affect edits of the other: %s', (_name, base, ours, theirs, expected) => {
    expect(merged(table(...base), table(...ours), table(...theirs))).toEqual({
      text: written(table(...expected)),
      conflicts: [],
    });
  });
});

describe('a row that one side deleted', () => {
  it('stays, as a conflict, when the other wrote into a new column of it', () => {
    const [base, deleted] = ['| k | v |\n| - | - |\n| a | 1 |\n| b | 2 |', '| k | v |\n| - | - |\n| b | 2 |'];
    const noted = '| k | v | n |\n| - | - | - |\n| a | 1 | note |\n| b | 2 | |';
    expect(merged(base, deleted, noted)).toEqual({ text: written(noted), conflicts: ['edit'] });
  });
});

describe('a container that one side removed from around its content', () => {
  it('does not stay as an empty one if the other side deleted something in it or changed its style', () => {
    expect(merged(hint('One here.\n\nTwo here.'), 'One here.\n\nTwo here.', hint('One here.'))).toEqual({
      text: 'One here.\n',
      conflicts: [],
    });
    const restyled = hint('One here.\n\nTwo here.').replace('info', 'danger');
    expect(merged(hint('One here.\n\nTwo here.'), 'One here.\n\nTwo here.', restyled)).toEqual({
      text: 'One here.\n\nTwo here.\n',
      conflicts: ['delete'],
    });
  });
});
