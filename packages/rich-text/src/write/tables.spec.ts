import { describe, expect, it } from '@jest/globals';
import { block, fragment, leaf, mark, paragraph, text, voidBlock } from '../model/build.js';
import { type Block, type Data, type Fragment, type Json, type Node, type TableColumn } from '../model/types.js';
import { toMarkdown } from './write.js';

const lines = (...values: string[]): Block => paragraph([{ object: 'text', leaves: [leaf(values.join('\n'))] }]);
const column = (id: string, more: Data = {}): TableColumn => ({ id, title: id.toUpperCase(), type: 'text', ...more });

type Cell = string | Node[] | { value: Json } | undefined;
type Given = { columns?: TableColumn[]; rows?: Cell[][]; view?: Data; data?: Data };

/** A table whose cells stand in rows; a string is a cell of one paragraph. */
function table({ columns = [column('a')], rows = [['x']], view = {}, data = {} }: Given): Block {
  const fragments: Fragment[] = [];
  const valueOf = (cell: Cell): Json | undefined => {
    if (cell === undefined || (typeof cell === 'object' && 'value' in cell)) return cell?.value;
    const name = `cell${fragments.length}`;
    fragments.push(fragment(name, typeof cell === 'string' ? [lines(cell)] : cell));
    return name;
  };
  const records = rows.map((cells, at): [string, Data] => [
    `row${at}`,
    {
      orderIndex: String(at),
      values: Object.fromEntries<Json | undefined>(columns.map(({ id }, i) => [id, valueOf(cells[i])])),
    },
  ]);
  const own = { type: 'grid', columns: columns.map(({ id }) => id), hideHeader: false, ...view };
  return voidBlock(
    'table',
    {
      view: own,
      records: Object.fromEntries(records),
      definition: Object.fromEntries(columns.map((each) => [each.id, each])),
      ...data,
    },
    fragments,
  );
}

const written = (given: Given): string => toMarkdown({ object: 'document', data: {}, nodes: [table(given)] }).trimEnd();
/** One header and one cell written as HTML. */
const opening = (given: Given): string => /^<table[^>]*>/.exec(written(given))?.[0] ?? written(given);
const header = (more: Data, view: Data = {}): string =>
  /<th[ >].*<\/th>/.exec(written({ columns: [column('a', more)], rows: [], view }))?.[0] ?? '';
const cell = (more: Data, value: Cell): string =>
  /<tbody><tr>(.*)<\/tr><\/tbody>/s.exec(
    written({ columns: [column('a', more)], rows: [[value]], data: { fullWidth: true } }),
  )?.[1] ?? '';

describe('a table of text', () => {
  it('is written as pipes with the alignment of its columns', () => {
    const columns = [
      column('a', { textAlignment: 'left' }),
      column('b', { textAlignment: 'center' }),
      column('c', { textAlignment: 'right' }),
      column('d'),
    ];
    expect(written({ columns, rows: [['1', '2', '3', '4']] })).toBe(
      '| A | B | C | D |\n| :- | :-: | -: | - |\n| 1 | 2 | 3 | 4 |',
    );
  });

  it.each<[string, Cell, string]>([
    ['a pipe', 'x | y', 'x \\| y'],
    ['marks', [paragraph([text('x', [mark('bold')])])], '**x**'],
    ['several lines', [lines('x', 'y')], 'x<br>y'],
    ['several paragraphs', [lines('x'), lines('y', 'z')], '<p>x</p><p>y<br>z</p>'],
    ['nothing', undefined, ''],
    ['no blocks', [], ''],
    ['text without a paragraph', { value: 'no cell' }, 'no cell'],
    ['a number', { value: 4 }, '4'],
    ['null', { value: null }, ''],
  ])('has a cell of %s in one line', (_name, value, expected) =>
    expect(written({ columns: [column('a'), column('b')], rows: [[value, 'end']] })).toBe(
      `| A | B |\n| - | - |\n| ${expected}${expected && ' '}| end |`,
    ),
  );

  it('is nothing without columns', () => expect(written({ columns: [] })).toBe(''));

  it('stays one when its options say nothing', () => {
    expect(written({ view: { stickyHeader: false }, data: { fullWidth: false } })).toBe('| A |\n| - |\n| x |');
  });
});

describe('a table that pipes cannot say', () => {
  it('is written as HTML', () => {
    const columns = [column('a'), column('n', { type: 'number' })];
    expect(
      written({
        columns,
        rows: [
          ['x', { value: 3 }],
          [[lines('y'), lines('z')], undefined],
        ],
      }),
    ).toBe(
      '<table><thead><tr><th>A</th><th data-type="number">N</th></tr></thead><tbody><tr><td>x</td><td>3</td></tr><tr><td><p>y</p><p>z</p></td><td></td></tr></tbody></table>',
    );
  });

  it('leaves out the head when it has no titles', () => {
    const untitled = column('a', { title: '' });
    const head = '<thead><tr><th></th></tr></thead>';
    expect(written({ columns: [untitled], view: { hideHeader: true } })).toBe(
      '<table><tbody><tr><td>x</td></tr></tbody></table>',
    );
    expect(written({ columns: [untitled], data: { fullWidth: true } })).toContain(head);
    expect(
      written({ columns: [column('a', { title: '', type: 'number' })], rows: [], view: { hideHeader: true } }),
    ).toBe('<table data-header-hidden><thead><tr><th data-type="number"></th></tr></thead><tbody></tbody></table>');
    expect(written({ columns: [column('a'), column('b', { title: '' })], view: { hideHeader: true } })).toContain(
      '<table data-header-hidden><thead><tr><th>A</th>',
    );
  });

  it('puts blocks of a cell on lines of their own', () => {
    const list = block('list-unordered', {}, [block('list-item', {}, [lines('y')])]);
    expect(
      written({
        columns: [column('a'), column('b')],
        rows: [
          ['x', [lines('z'), list]],
          ['v', 'w'],
        ],
      }),
    ).toBe(
      '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>x</td><td>\n\nz\n\n* y\n\n</td></tr><tr><td>v</td><td>w</td></tr></tbody></table>',
    );
  });

  it.each<[string, Given, string]>([
    ['a hidden header', { view: { hideHeader: true } }, '<table data-header-hidden>'],
    [
      'sticky parts',
      { view: { stickyHeader: true, stickyFirstColumn: true } },
      '<table data-sticky-header data-sticky-first-column>',
    ],
    ['a width', { data: { fullWidth: true } }, '<table data-full-width="true">'],
    ['search', { data: { search: true } }, '<table data-search="true">'],
    ['no search', { data: { search: false } }, '<table data-search="false">'],
    ['merged cells', { data: { cellMerges: [[0, 1]] } }, '<table data-cell-merges="[[0,1]]">'],
    ['cards', { view: { type: 'cards' } }, '<table data-view="cards">'],
    [
      'large cards',
      { view: { type: 'cards', cardSize: 'large', wrap: false, hideColumnTitle: true } },
      '<table data-view="cards" data-card-size="large" data-card-wrap="false" data-card-hide-titles="true">',
    ],
    ['options of cards in a grid', { view: { cardSize: 'large', wrap: true, hideColumnTitle: true } }, '<table>'],
    ['a cell of code', { rows: [[[block('code', {}, [block('code-line', {}, [text('x')])])]]] }, '<table>'],
    ['aligned text', { rows: [[[paragraph([text('x')], { align: 'center' })]]] }, '<table>'],
    ['text in the middle', { columns: [column('a', { verticalAlignment: 'middle' })] }, '<table>'],
  ])('says %s', (_name, given, expected) => expect(opening(given)).toBe(expected));

  it('says which columns are hidden, and what a card shows', () => {
    const columns = [
      column('a'),
      column('t', { type: 'content-ref' }),
      column('c', { type: 'image' }),
      column('d', { type: 'image' }),
    ];
    const view = { columns: ['t', 'c', 'd'], targetDefinition: 't', coverDefinition: 'c', coverDefinitionDark: 'd' };
    expect(written({ columns, rows: [], view })).toBe(
      '<table><thead><tr><th data-type="content-ref" data-card-target>T</th><th data-type="image" data-card-cover>C</th><th data-type="image" data-card-cover-dark>D</th><th data-hidden>A</th></tr></thead><tbody></tbody></table>',
    );
    // A store may sort the names of an object: where the definition names a hidden column says nothing.
    for (const columns of [
      [column('a'), column('b')],
      [column('b'), column('a')],
    ])
      expect(written({ columns, rows: [], view: { columns: ['a'] } })).toContain('<th>A</th><th data-hidden>B</th>');
  });
});

describe('the columns of an HTML table', () => {
  it.each<[Data, Data, string]>([
    [{ title: 'a < b' }, { stickyHeader: true }, '<th>a &lt; b</th>'],
    [{ textAlignment: 'right', verticalAlignment: 'top' }, {}, '<th align="right" valign="top">A</th>'],
    [{}, { columnWidths: { a: 120 } }, '<th width="120">A</th>'],
    [{}, { columnWidths: { a: { unit: '%', value: 50 } } }, '<th width="50%">A</th>'],
    [{ type: 'number' }, { columnWidths: ['120'] }, '<th data-type="number">A</th>'],
    [{ type: 'number' }, { columnWidths: null }, '<th data-type="number">A</th>'],
    [{ type: 'rating', max: 7 }, {}, '<th data-type="rating" data-max="7">A</th>'],
    [{ type: 'rating' }, {}, '<th data-type="rating" data-max="5">A</th>'],
    [{ type: 'number', max: 7, multiple: true }, {}, '<th data-type="number">A</th>'],
    [{ type: 'users', multiple: true }, {}, '<th data-type="users" data-multiple>A</th>'],
    [{ type: 'users', multiple: false }, {}, '<th data-type="users">A</th>'],
    [{ type: 'select' }, {}, '<th>A<select></select></th>'],
    [
      {
        type: 'select',
        multiple: true,
        options: [{ value: 'v', label: 'V & W', color: 'red' }, { value: 'x' }, 'none'],
      },
      {},
      '<th>A<select multiple><option value="v" label="V & W" color="red"></option><option value="x"></option></select></th>',
    ],
  ])('say %j beside %j', (more, view, expected) => expect(header(more, view)).toBe(expected));
});

describe('the cells of an HTML table', () => {
  const select = { type: 'select', options: [{ value: 'v', label: 'Vee <1>' }, { value: 'w' }, 'x'] };
  it.each<[string, Data, Cell, string]>([
    ['one paragraph', {}, 'x < y', 'x &lt; y'],
    ['lines', {}, [lines('x', 'y')], 'x<br>y'],
    ['paragraphs, also empty ones', {}, [lines('x'), lines(''), paragraph([])], '<p>x</p><p></p><p></p>'],
    ['a number', { type: 'number' }, { value: 0 }, '0'],
    ['a text that is no number', { type: 'number' }, { value: 'a & b' }, 'a &amp; b'],
    ['a tick', { type: 'checkbox' }, { value: false }, 'false'],
    ['nothing', { type: 'number' }, { value: null }, ''],
    [
      'options',
      select,
      { value: ['v', 'w', 'gone'] },
      '<span data-option="v">Vee &lt;1&gt;</span><span data-option="w">w</span><span data-option="gone">gone</span>',
    ],
    [
      'options of a column without any',
      { type: 'select' },
      { value: ['v', 3] },
      '<span data-option="v">v</span><span data-option="3">3</span>',
    ],
    [
      'a reference',
      { type: 'content-ref' },
      { value: { kind: 'page', page: 'p', title: 'P & Q' } },
      '<a href="/pages/p">P &amp; Q</a>',
    ],
    [
      'a reference without a title',
      { type: 'content-ref' },
      { value: { kind: 'page', page: 'p' } },
      '<a href="/pages/p">/pages/p</a>',
    ],
    [
      'what was not found',
      { type: 'image' },
      { value: { kind: 'unresolved', title: '<lost>' } },
      '<a>&lt;lost&gt;</a>',
    ],
    ['what has no name either', { type: 'image' }, { value: { kind: 'unresolved' } }, '<a></a>'],
    [
      'files',
      { type: 'files' },
      {
        value: [
          { kind: 'file', file: 'f', title: 'F' },
          { kind: 'file', file: 'g' },
        ],
      },
      '<a href="/files/f">F</a><a href="/files/g">/files/g</a>',
    ],
    [
      'people by their names',
      { type: 'users' },
      { value: ['u1', 'u2'] },
      '<span data-option="u1">u1</span><span data-option="u2">u2</span>',
    ],
    [
      'people',
      { type: 'users' },
      { value: [{ kind: 'user', user: 'u', title: 'Ada' }] },
      '<a data-mention href="mention://user/u">Ada</a>',
    ],
  ])('hold %s', (_name, more, value, expected) => expect(cell(more, value)).toBe(`<td>${expected}</td>`));

  it('are text in a column of a type when they are blocks', () => {
    const given = {
      columns: [column('a', { type: 'number' })],
      rows: [[[lines('x')]], [[block('list-unordered', {}, [block('list-item', {}, [lines('y')])])]]],
    };
    expect(written(given)).toBe(
      '<table><thead><tr><th data-type="number">A</th></tr></thead><tbody><tr><td data-type="text">x</td></tr><tr><td data-type="text">\n\n* y\n\n</td></tr></tbody></table>',
    );
  });

  it('are values in a column of text when they are neither text nor blocks', () => {
    expect(written({ rows: [[{ value: { kind: 'page', page: 'p', title: 'P' } }]] })).toBe(
      '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td><a href="/pages/p">P</a></td></tr></tbody></table>',
    );
  });

  it('name what a reference points at', () => {
    const given = table({
      columns: [column('a', { type: 'content-ref' })],
      rows: [[{ value: { kind: 'page', page: 'p' } }]],
    });
    expect(
      toMarkdown(
        { object: 'document', data: {}, nodes: [given] },
        { formatLink: () => ({ url: 'p.md', text: 'The page' }) },
      ),
    ).toContain('<td><a href="p.md">The page</a></td>');
  });
});
