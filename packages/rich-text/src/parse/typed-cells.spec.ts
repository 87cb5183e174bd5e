import { describe, expect, it } from '@jest/globals';
import { html, p, read, row, values } from '../test/html-table.js';
import { parseMarkdown } from './parse.js';

describe('the cells of typed columns', () => {
  it.each([
    ['number', ['4', ' -2.5 ', 'many', '', '1e999', '<b>3</b>'], [4, -2.5, 'many', undefined, '1e999', 3]],
    ['rating', ['3', 'three', ''], [3, 'three', undefined]],
    [
      'checkbox',
      ['true', 'false', '<input type="checkbox" checked>', '<b><input type="checkbox"></b>', 'maybe\n so', ''],
      [true, false, true, false, 'maybe so', undefined],
    ],
    [
      'select',
      ['<span data-option="a">A</span><b><span data-option="b">B</span></b>', 'plain', ''],
      [['a', 'b'], 'plain', undefined],
    ],
    [
      'users',
      [
        '<span data-option="u1">u1</span><span data-option="u2">u2</span>',
        '<span data-option="u1"></span>, <a href="mention://user/v"></a>',
        '<span data-option="u1">Ada</span>',
      ],
      [['u1', 'u2'], ['u1', { kind: 'user', user: 'v' }], 'Ada'],
    ],
    ['files', ['<span data-option="f1">f1</span>'], [['f1']]],
    [
      'users',
      ['<a data-mention href="mention://user/u">Ada</a> <a href="mention://user/v"></a>', 'nobody', ''],
      [
        [
          { kind: 'user', user: 'u', title: 'Ada' },
          { kind: 'user', user: 'v' },
        ],
        'nobody',
        undefined,
      ],
    ],
    [
      'files',
      ['<a href="/files/f"> f\n.pdf </a><b><img src="/files/g" alt="G"></b><img src="/files/h">', 'none', ''],
      [
        [
          { kind: 'file', file: 'f', title: 'f .pdf' },
          { kind: 'file', file: 'g', title: 'G' },
          { kind: 'file', file: 'h' },
        ],
        'none',
        undefined,
      ],
    ],
    [
      'content-ref',
      [
        '<a href="/pages/p">label</a>',
        '<a href="https://a.b">https://a.b</a>',
        '\n\n[m](/pages/p)\n\n',
        'words',
        '<a href="gone.md"></a>',
        '<a href="gone.md">gone</a>',
        '',
      ],
      [
        { kind: 'page', page: 'p', title: 'label' },
        { kind: 'url', url: 'https://a.b' },
        { kind: 'page', page: 'p', title: 'm' },
        'words',
        undefined,
        { kind: 'unresolved', title: 'gone' },
        undefined,
      ],
    ],
    [
      'image',
      [
        '<img src="/files/f" alt="F">',
        '\n\n![G](/files/g)\n\n',
        '<a href="/files/h">h.png</a>',
        '<img src="data:x" alt="lost">',
        '<img src="data:x">',
      ],
      [
        { kind: 'file', file: 'f', title: 'F' },
        { kind: 'file', file: 'g', title: 'G' },
        { kind: 'file', file: 'h', title: 'h.png' },
        { kind: 'unresolved', title: 'lost' },
        undefined,
      ],
    ],
  ])('are values: %s', (type, cells, expected) => expect(values(type, ...cells)).toEqual(expected));

  it.each([
    [
      'number',
      ['1.50', '007', '<a href="/pages/p">3</a>', '**4**'],
      ['1.50', '007', 'paragraph(link{"ref":{"kind":"page","page":"p"}}("3"))', '**4**'],
    ],
    ['checkbox', ['<input type="checkbox" checked> done', 'no <input>'], ['true done', 'no false']],
    [
      'checkbox',
      ['<ul><li><input type="checkbox" checked>a</li></ul>'],
      [`list-tasks(list-item{"checked":true}(${p('a')}))`],
    ],
    [
      'checkbox',
      [
        '<input type="text"> w',
        '<input type="text">',
        '<input type="CHECKBOX" checked> w',
        '<ul><li><input type="text">a</li></ul>',
      ],
      ['w', undefined, 'true w', `list-unordered(list-item(${p('a')}))`],
    ],
    ['checkbox', ['<ul><li><input checked>a</li></ul>'], [`list-tasks(list-item{"checked":true}(${p('a')}))`]],
    [
      'select',
      [
        '<span data-option="v">Other</span>',
        'or <span data-option="v">Vee</span>',
        '<span data-option="v"><b>Vee</b></span>, <span data-option="w">w, </span>',
      ],
      ['Other', 'or Vee', ['v', 'w']],
    ],
    [
      'users',
      ['<a data-mention href="mention://user/u">Ada</a> and others'],
      ['paragraph(mention{"ref":{"kind":"user","user":"u"},"text":"Ada"}() " and others")'],
    ],
    [
      'files',
      ['<a href="/files/f" title="Hint">F</a>'],
      ['paragraph(link{"ref":{"kind":"file","file":"f"},"title":"Hint"}("F"))'],
    ],
    [
      'content-ref',
      ['<a href="/pages/p">P</a> <a href="/pages/q">Q</a>', 'see <b>P</b>', '<p>a</p><p>b</p>'],
      [
        'paragraph(link{"ref":{"kind":"page","page":"p"}}("P") " " link{"ref":{"kind":"page","page":"q"}}("Q"))',
        'paragraph("see ""P"^bold)',
        `${p('a')} ${p('b')}`,
      ],
    ],
    [
      'image',
      ['<img src="/files/f" alt="F" title="Caption">', '<a class="button primary" href="/pages/p">Go</a>'],
      [
        'images(image{"ref":{"kind":"file","file":"f"},"alt":"F"}(#caption(paragraph("Caption"))))',
        'paragraph(button{"label":"Go","kind":"primary","ref":{"kind":"page","page":"p"}}())',
      ],
    ],
  ])('are text when they say more than a value of it can: %s', (type, cells, expected) => {
    const head =
      type === 'select'
        ? '<th><select><option value="v" label="Vee"></option></select></th>'
        : `<th data-type="${type}">T</th>`;
    expect(read(html(head, cells.map((cell) => row(cell)).join(''))).rows.map(([value]) => value)).toEqual(expected);
  });

  it('are text where they say so', () =>
    expect(read(html('<th data-type="number">T</th>', '<tr><td data-type="text">4</td></tr>')).rows).toEqual([
      [p('4')],
    ]));

  it('add to their column the options that it does not list', () => {
    const cells = [
      '<span data-option="v">Vee, </span><span data-option="w">Double</span>',
      '<span data-option="w">Another</span>',
      '<span data-option="x">x</span>',
      '<span data-option="y">Why</span> then',
    ];
    const { columns, rows } = read(
      html(
        '<th>T<select><option value="v" label="Vee"></option></select></th>',
        cells.map((cell) => row(cell)).join(''),
      ),
    );
    expect(columns).toEqual([
      {
        title: 'T',
        type: 'select',
        multiple: false,
        options: [
          { value: 'v', label: 'Vee' },
          { value: 'w', label: 'Double' },
        ],
      },
    ]);
    expect(rows).toEqual([[['v', 'w']], ['Another'], [['x']], ['Why then']]);
  });

  it('ask the resolver what they are used for', () => {
    const asked: string[] = [];
    parseMarkdown(
      html('<th data-type="files">F</th>', row('<a href="a">A</a><a data-mention href="b">B</a><img src="c">')),
      { resolveLink: (url, use) => (asked.push(`${use} ${url}`), null) },
    );
    expect(asked).toEqual(['link a', 'mention b', 'image c']);
  });
});
