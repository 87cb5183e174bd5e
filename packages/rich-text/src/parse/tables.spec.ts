import { describe, expect, it } from '@jest/globals';
import { type Block, type TableData } from '../model/types.js';
import { html, nodes, p, read, row } from '../test/html-table.js';
import { show } from '../test/show.js';
import { showTable } from '../test/show.js';

const text = (title: string): object => ({ title, type: 'text' });

describe('a pipe table', () => {
  it('has text columns, and says which way they are aligned', () => {
    expect(read('| a | b | c | d |\n| :- | -: | :-: | - |\n| 1 | 2 | 3 | 4 |')).toEqual({
      columns: [
        { ...text('a'), textAlignment: 'left' },
        { ...text('b'), textAlignment: 'right' },
        { ...text('c'), textAlignment: 'center' },
        text('d'),
      ],
      rows: [[p('1'), p('2'), p('3'), p('4')]],
      view: { type: 'grid', columns: ['#0', '#1', '#2', '#3'], hideHeader: false },
      options: {},
    });
  });

  it('is as wide as its widest row', () => {
    const { columns, rows } = read('| a |\n| - |\n| b | c |\n| d |');
    expect(columns).toEqual([text('a'), text('')]);
    expect(rows).toEqual([
      [p('b'), p('c')],
      [p('d'), p('')],
    ]);
  });

  it('is titled by text alone', () =>
    expect(read('| <br> **a** <br> `b` :smile: <br> |\n| - |').columns).toEqual([text('a b 😄')]));

  it.each([
    ['<p>a</p><p>b</p>', `${p('a')} ${p('b')}`],
    ['a <p>b</p>', `${p('a')} ${p('b')}`],
    ['<ul><li>a</li></ul>', `list-unordered(list-item(${p('a')}))`],
    ['<ol><li>a</li></ol>', `list-ordered(list-item(${p('a')}))`],
    ['<PRE>a</PRE>', 'code(code-line("a"))'],
    ['<b>a</b><br>b', 'paragraph("a"^bold"\nb")'],
    ['<b>a</b> <i>b</i>', 'paragraph("a"^bold" ""b"^italic)'],
    ['a \\<p>b', p('a <p>b')],
    ['![a](/files/f)', 'paragraph(inline-image{"ref":{"kind":"file","file":"f"},"alt":"a"}())'],
    ['$$a$$', 'paragraph(inline-math{"formula":"a"}())'],
    ['$$<p>$$', 'paragraph(inline-math{"formula":"<p>"}())'],
    ['', p('')],
  ])('reads a cell of %j', (cell, expected) => expect(read(`| x |\n| - |\n| ${cell} |`).rows).toEqual([[expected]]));
});

describe('the rows of an HTML table', () => {
  it('follow a row of titles, the first of its head or one of headers only', () => {
    const body = [[p('c'), p('d')]];
    const titles = [text('a'), text('b')];
    expect(read(html('<th>a</th><td>b</td>', row('c', 'd')))).toMatchObject({
      columns: titles,
      rows: body,
      view: { hideHeader: false },
    });
    expect(read(`<table><tr><th>a</th><th>b</th></tr>${row('c', 'd')}</table>`)).toMatchObject({
      columns: titles,
      rows: body,
      view: { hideHeader: false },
    });
    expect(
      read(
        `<table><tbody>${row('c')}</tbody><thead><tr><th>a</th></tr><tr><th>b</th></tr></thead><tfoot>${row('d')}</tfoot></table>`,
      ),
    ).toMatchObject({ columns: [text('a')], rows: [[p('c')], [p('b')], [p('d')]] });
  });

  it('need no titles', () => {
    const untitled = { columns: [text(''), text('')], view: { hideHeader: true } };
    expect(read(`<table>${row('a', 'b')}</table>`)).toMatchObject({ ...untitled, rows: [[p('a'), p('b')]] });
    expect(read('<table><tr><th>a</th><td>b</td></tr></table>')).toMatchObject({
      ...untitled,
      rows: [[p('a'), p('b')]],
    });
  });

  it('stand in order, and leave what they lack empty', () => {
    const [table] = nodes(
      html('<th>A</th><th data-type="number">B</th>', row('a', '1') + row('') + row('<p>b</p><p>c</p>', '2', 'd')),
    );
    expect(showTable(table as Block).rows).toEqual([
      [p('a'), 1, p('')],
      [p(''), undefined, p('')],
      [`${p('b')} ${p('c')}`, 2, p('d')],
    ]);
    expect(
      Object.values((table?.data as TableData).records).map(({ orderIndex, values: own }) => [
        orderIndex,
        Object.keys(own).length,
      ]),
    ).toEqual([
      ['000000', 3],
      ['000001', 2],
      ['000002', 3],
    ]);
  });

  it('hold blocks', () =>
    expect(read(html('<th>A</th>', '<tr><td>\n\n* x\n* y\n\n</td></tr>')).rows).toEqual([
      [`list-unordered(list-item(${p('x')}) list-item(${p('y')}))`],
    ]));

  it('leave the places empty that a cell spans', () => {
    const spanned =
      '<tr><td colspan="2" rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr><tr><td>d</td><td>e</td><td rowspan="3">f</td></tr><tr><td>g</td></tr><tr></tr><tr><td>i</td><td>j</td><td>k</td></tr>';
    expect(
      read(html('<th>A</th>', spanned)).rows.map((cells) =>
        cells.map((cell) => String(cell).replace(/paragraph\("(.*)"\)/, '$1')).join(),
      ),
    ).toEqual(['a,,b', ',,c', 'd,e,f', 'g,,', ',,', 'i,j,k']);
  });

  it.each([
    ['500', 100],
    ['3', 3],
    ['0', 1],
    ['x', 1],
    ['-4', 1],
  ])('span %s columns as %i', (colspan, width) => {
    expect(read(`<table><tr><td colspan="${colspan}">a</td></tr></table>`).columns).toHaveLength(width);
  });

  it('belong to their own table', () => {
    const inner = `<table>${row('inner')}</table>`;
    expect(nodes(html('<th>A</th>', row(inner))).map((node) => showTable(node).rows)).toEqual([
      [[p('')]],
      [[p('inner')]],
    ]);
  });

  it('are followed by what stands in none of them', () => {
    const [, ...rest] = nodes(
      `<table><caption>Cap</caption><colgroup><col></colgroup><thead>one <tr><th>A</th></tr></thead> <tbody><tr>two<td>a</td></tr></tbody><tfoot> three</tfoot></table>`,
    );
    expect(rest.map(show)).toEqual([p('Cap'), p('one'), p('two'), p('three')]);
    expect(nodes('<table>only text</table>').map(show)).toEqual([p('only text')]);
    expect(nodes('<table><tr></tr></table>')).toEqual([]);
  });
});

describe('the view of an HTML table', () => {
  const of = (attributes: string): unknown => read(html('<th>A</th>', '', attributes)).view;

  it.each([
    ['', { type: 'grid', hideHeader: false }],
    [' data-view="other" data-card-size="large" data-card-wrap="true"', { type: 'grid', hideHeader: false }],
    [' data-header-hidden', { type: 'grid', hideHeader: true }],
    [
      ' data-sticky-header data-sticky-first-column',
      { type: 'grid', hideHeader: false, stickyHeader: true, stickyFirstColumn: true },
    ],
    [' data-view="cards"', { type: 'cards', cardSize: 'medium' }],
    [' data-view="cards" data-card-size="huge" data-card-wrap="maybe"', { type: 'cards', cardSize: 'medium' }],
    [
      ' data-view="cards" data-card-size="large" data-card-wrap="false" data-card-hide-titles="true"',
      { type: 'cards', cardSize: 'large', wrap: false, hideColumnTitle: true },
    ],
  ])('reads%s', (attributes, expected) => expect(of(attributes)).toEqual({ ...expected, columns: ['#0'] }));

  it.each([
    ['', {}],
    [
      ' data-full-width="true" data-search="false" data-cell-merges="[[0,1]]"',
      { fullWidth: true, search: false, cellMerges: [[0, 1]] },
    ],
    [' data-full-width="false" data-search data-cell-merges="[["', { search: true }],
  ])('and beside it%s', (attributes, expected) =>
    expect(read(html('<th>A</th>', '', attributes)).options).toEqual(expected),
  );

  it('names hidden columns, widths, and what a card shows', () => {
    const head =
      '<th data-hidden width="50%">A</th><th data-card-target data-type="content-ref">T</th><th data-card-cover data-type="image" width="120">C</th><th data-card-cover-dark data-type="files" width="wide">D</th>';
    expect(read(html(head)).view).toEqual({
      type: 'grid',
      columns: ['#1', '#2', '#3'],
      hideHeader: false,
      columnWidths: { '#0': { unit: '%', value: 50 }, '#2': 120 },
      targetDefinition: '#1',
      coverDefinition: '#2',
      coverDefinitionDark: '#3',
    });
  });
});

describe('the columns of an HTML table', () => {
  it.each([
    ['<th align="LEFT" valign="top">A</th>', { ...text('A'), textAlignment: 'left', verticalAlignment: 'top' }],
    [
      '<th align="right" valign="middle"> <b>B</b>\n  c </th>',
      { ...text('B c'), textAlignment: 'right', verticalAlignment: 'middle' },
    ],
    ['<th align="center" valign="bottom"></th>', { ...text(''), textAlignment: 'center', verticalAlignment: 'bottom' }],
    ['<th align="justify" valign="baseline">A</th>', text('A')],
    ['<th data-type="strange">A</th>', text('A')],
    ['<th data-type="text">A</th>', text('A')],
    ['<th data-type="number" align="right">A</th>', { title: 'A', type: 'number' }],
    ['<th data-type="checkbox">A</th>', { title: 'A', type: 'checkbox' }],
    ['<th data-type="files">A</th>', { title: 'A', type: 'files' }],
    ['<th data-type="users">A</th>', { title: 'A', type: 'users', multiple: false }],
    ['<th data-type="users" data-multiple>A</th>', { title: 'A', type: 'users', multiple: true }],
    ['<th data-type="rating" data-max="10">A</th>', { title: 'A', type: 'rating', max: 10 }],
    ['<th data-type="rating">A</th>', { title: 'A', type: 'rating', max: 5 }],
    ['<th data-type="rating" data-max="none">A</th>', { title: 'A', type: 'rating', max: 5 }],
    ['<th data-type="rating" data-max="-3">A</th>', { title: 'A', type: 'rating', max: 1 }],
    ['<th data-type="rating" data-max="1000">A</th>', { title: 'A', type: 'rating', max: 100 }],
    ['<th data-type="select">A</th>', { title: 'A', type: 'select', multiple: false, options: [] }],
    ['<th data-type="select" multiple>A</th>', { title: 'A', type: 'select', multiple: true, options: [] }],
    [
      '<th>A<select><option value="x"> X </option></select></th>',
      { title: 'A', type: 'select', multiple: false, options: [{ value: 'x', label: 'X' }] },
    ],
    [
      '<th>A<select><option value="x" label="X"></option><option value="y" label="Y">Why</option></select></th>',
      {
        title: 'A',
        type: 'select',
        multiple: false,
        options: [
          { value: 'x', label: 'X' },
          { value: 'y', label: 'Y Why' },
        ],
      },
    ],
    ['<th>A<br><p>b</p><img src="/files/f" alt="c"></th>', text('A b c')],
    [
      '<th>A<select multiple><option color="red">Pear</option></select></th>',
      { title: 'A', type: 'select', multiple: true, options: [{ value: 'Pear', label: 'Pear', color: 'red' }] },
    ],
  ])('reads %s', (head, expected) => expect(read(html(head)).columns).toEqual([expected]));
});
