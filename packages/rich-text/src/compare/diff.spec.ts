import { describe, expect, it } from '@jest/globals';
import {
  diff,
  hash,
  merge,
  parseMarkdown,
  rematch,
  toMarkdown,
  toPlainText,
  type Change,
  type RichDocument,
} from '../index.js';
import { mark, paragraph, text, voidBlock } from '../model/build.js';
import { Signatures } from '../model/signature.js';
import { type Data } from '../model/types.js';

const read = (markdown: string, previous?: RichDocument): RichDocument =>
  parseMarkdown(markdown, previous ? { previous } : {}).document;

function changes(before: string, after: string): Change[] {
  const base = read(before);
  return diff(base, read(after, base));
}

describe('diff', () => {
  it('names added, removed, moved and changed blocks', () => {
    expect(
      changes('a one\n\nb two\n\nc three\n\nd four five', 'c three\n\na one\n\nd four six\n\nnew words').map(
        ({ kind }) => kind,
      ),
    ).toEqual(['moved', 'changed', 'added', 'removed']);
  });

  it('says which words changed', () => {
    const [change] = changes('one two three', 'one 2 three');
    expect(change).toMatchObject({
      kind: 'changed',
      words: [
        { kind: 'same', text: 'one ' },
        { kind: 'removed', text: 'two' },
        { kind: 'added', text: '2' },
        { kind: 'same', text: ' three' },
      ],
    });
  });

  it('reports an added container once', () => {
    expect(changes('a one', 'a one\n\n* x\n* y').map(({ kind, parent }) => [kind, parent])).toEqual([['added', '']]);
  });

  it('reports a change inside a container at the inner block', () => {
    const all = changes('* one two\n* three four', '* one two\n* three five');
    expect(all.map(({ kind }) => kind)).toEqual(['changed']);
    expect(all[0]?.parent).not.toBe('');
  });

  it('finds no change in a table whose columns only have other ids', () => {
    const table =
      '<table><thead><tr><th width="100">A</th><th width="200">B</th><th width="50%">C</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>';
    const signatures = new Set(
      ['x', 'y', 'z', 'u', 'v'].map((text) => new Signatures().all(read(`${text}\n\n${table}`).nodes.slice(1))),
    );
    expect(signatures.size).toBe(1);
  });

  it('compares each cell with its own old value if several had the same one', () => {
    const table = (...cells: string[]): string =>
      `<table><thead><tr><th>A</th><th data-type="number">N</th></tr></thead><tbody>${cells.map((cell, i) => `<tr><td>row ${i}</td><td>${cell}</td></tr>`).join('')}</tbody></table>`;
    const before = read(table('many', 'many'));
    expect(toPlainText(read(table('<b>one</b>', '<b>two</b>'), before))).toBe('A\tN\nrow 0\tone\nrow 1\ttwo');
  });

  it('names the records of a table that changed', () => {
    const [change] = changes('| A |\n| - |\n| one x |\n| two y |\n', '| A |\n| - |\n| two y |\n| one z x |\n| new |\n');
    expect(change).toMatchObject({ kind: 'changed', rows: { added: [expect.any(String)], removed: [] } });
  });
});

describe('diff of single blocks', () => {
  const keyOf = (document: RichDocument, at: number): string => document.nodes[at]?.key ?? '';
  const rowsOf = (before: string, after: string): unknown => changes(before, after)[0];
  const ids = (document: RichDocument): string[] => Object.keys(document.nodes[0]?.data['records'] as object);

  it('names the old place of a block that moved within a list or from another one', () => {
    const base = read('a one\n\nb two three\n\n{% hint style="info" %}\nstays in here\n{% endhint %}');
    const hint = keyOf(base, 2);
    const last = read('b two three\n\na one\n\n{% hint style="info" %}\nstays in here\n{% endhint %}', base);
    const [moved] = diff(base, last);
    expect(moved).toMatchObject({ kind: 'moved', parent: '', from: { parent: '' } });
    expect([0, 1]).toContain(moved?.kind === 'moved' ? moved.from.index : -1);
    const into = read('a one\n\n{% hint style="info" %}\nstays in here\n\nb two three\n{% endhint %}', base);
    expect(diff(base, into)).toEqual([
      { kind: 'moved', key: keyOf(base, 1), parent: hint, index: 1, from: { parent: '', index: 1 } },
    ]);
  });

  it('gives words only for changed texts, and rows only for tables', () => {
    const [change] = changes(
      '{% hint style="info" %}\nsome words\n{% endhint %}',
      '{% hint style="danger" %}\nsome words\n{% endhint %}',
    );
    expect(change).toMatchObject({
      kind: 'changed',
      before: { data: { style: 'info' } },
      after: { data: { style: 'danger' } },
    });
    expect(Object.keys(change ?? {}).sort()).toEqual(['after', 'before', 'index', 'key', 'kind', 'parent']);
    const base = read('| A |\n| - |\n| one |\n');
    const other = read('plain words');
    const renamed: RichDocument = { ...other, nodes: other.nodes.map((node) => ({ ...node, key: keyOf(base, 0) })) };
    for (const [a, b] of [
      [base, renamed],
      [renamed, base],
    ] as const)
      expect(diff(a, b)[0]).not.toHaveProperty('rows');
  });

  it('names added, removed and changed rows by their records', () => {
    const base = read('| A | B |\n| - | - |\n| one x | b |\n| two y | c |\n| three z | d |\n');
    const [first = '', second = '', third = ''] = ids(base);
    const fewer = read('| A | B |\n| - | - |\n| one x | b |\n| two y | c changed |\n', base);
    expect(diff(base, fewer)[0]).toMatchObject({
      kind: 'changed',
      rows: { added: [], removed: [third], changed: [second] },
    });
    const more = read('| A | B |\n| - | - |\n| one x | b |\n| two y | c |\n| three z | d |\n| brand new | e |\n', base);
    expect(ids(more)).toEqual([first, second, third, ids(more)[3]]);
    expect(diff(base, more)[0]).toMatchObject({
      kind: 'changed',
      rows: { added: [ids(more)[3]], removed: [], changed: [] },
    });
  });

  it('lists the rows and columns that changed, and no others', () => {
    const base = read('| A | B |\n| - | - |\n| one x | b |\n| two y | c |\n');
    const none = { added: [], removed: [], moved: [], changed: [] };
    const [first = '', second = ''] = ids(base);
    const added = read('| A | B |\n| - | - |\n| new z | d |\n| one x | b |\n| two y | c |\n', base);
    expect(diff(base, added)[0]).toMatchObject({
      rows: { ...none, added: [ids(added).find((id) => id !== first && id !== second)] },
      columns: none,
    });
    const turned = diff(base, read('| A | B |\n| - | - |\n| two y | c |\n| one x | b |\n', base))[0];
    expect(turned).toMatchObject({ rows: { ...none, moved: [expect.any(String)] }, columns: none });
    expect(diff(base, read('| A | N | B |\n| - | - | - |\n| one x | | b |\n| two y | | c |\n', base))[0]).toMatchObject(
      { rows: none, columns: { ...none, added: [expect.any(String)] } },
    );
    expect(diff(base, read('| B | A |\n| - | - |\n| b | one x |\n| c | two y |\n', base))[0]).toMatchObject({
      rows: none,
      columns: { ...none, moved: [expect.any(String)] },
    });
    expect(diff(base, read('| A | Renamed |\n| - | - |\n| one x | b |\n| two y | c |\n', base))[0]).toMatchObject({
      rows: none,
      columns: { ...none, changed: [expect.any(String)] },
    });
  });

  it('ignores keys inside cells', () => {
    const base = read('| A | B |\n| - | - |\n| one | b |\n');
    const rekeyed = JSON.parse(
      JSON.stringify(base).replace(/("object":"block","type":"paragraph"[^}]*?"key":")[^"]+/g, '$1other'),
    ) as RichDocument;
    expect(diff(base, rekeyed)).toEqual([]);
    const renamed: RichDocument = {
      ...rekeyed,
      nodes: rekeyed.nodes.map((node) => ({ ...node, data: { ...node.data, fullWidth: true } })),
    };
    expect(diff(base, renamed)[0]).toMatchObject({ kind: 'changed', rows: { added: [], removed: [], changed: [] } });
  });

  it('compares tables whose records name no cells', () => {
    const table = (records: Record<string, { orderIndex?: string }>): RichDocument => ({
      object: 'document',
      data: {},
      nodes: [{ object: 'block', type: 'table', key: 't', isVoid: true, data: { records } }],
    });
    expect(diff(table({ r: { orderIndex: '1' }, s: {} }), table({ r: { orderIndex: '2' }, s: {} }))[0]).toMatchObject({
      rows: { added: [], removed: [], changed: ['r'] },
    });
    expect(rowsOf('plain words', 'plain words')).toBeUndefined();
  });
});

describe('keys', () => {
  const keys = (document: RichDocument): Array<string | undefined> => document.nodes.map((node) => node.key);

  it('are derived from the text', () => {
    expect(read('a\n\nb')).toEqual(read('a\n\nb'));
    expect(keys(read('a'))[0]).toMatch(/^[0-9A-Za-z]{12}$/);
  });

  it('stay with unchanged, moved and lightly edited blocks', () => {
    const base = read('first words here\n\nsecond words there\n\nthird words nowhere');
    const [a, b, c] = keys(base);
    expect(
      keys(read('third words nowhere\n\nfirst words right here\n\nbrand new\n\nsecond words there', base)),
    ).toEqual([c, a, expect.not.stringMatching(`${a}|${b}|${c}`), b]);
  });

  it('stay with a block that moved into a container', () => {
    const base = read('moved words here\n\n{% hint style="info" %}\nstays in here\n{% endhint %}');
    const after = read('{% hint style="info" %}\nstays in here\n\nmoved words here\n{% endhint %}', base);
    expect((after.nodes[0]?.nodes?.[1] as { key?: string }).key).toBe(base.nodes[0]?.key);
  });

  it('keep equal blocks apart', () => {
    const base = read('same\n\nsame\n\nsame');
    expect(keys(read('same\n\nsame', base))).toEqual(keys(base).slice(0, 2));
  });

  it('do not change when nothing did', () => {
    const base = read('* a\n* b\n\n| x |\n| - |\n| y |\n');
    expect(rematch(read('* a\n* b\n\n| x |\n| - |\n| y |\n', base), base)).toEqual(base);
  });

  it('keep record ids when a row is added or a column renamed', () => {
    const base = read('| x | z |\n| - | - |\n| one a | b |\n| two c | d |\n');
    const after = read('| x | y |\n| - | - |\n| zero | b |\n| one a | b |\n| two c | d |\n', base);
    const ids = (document: RichDocument): string[] => Object.keys(document.nodes[0]?.data['records'] as object);
    expect(ids(after)).toEqual(expect.arrayContaining(ids(base)));
    expect(Object.keys(after.nodes[0]?.data['definition'] as object)).toEqual(
      expect.arrayContaining([Object.keys(base.nodes[0]?.data['definition'] as object)[0]]),
    );
  });
});

describe('data with the names of properties that comparisons ignore', () => {
  const map = (key: string, meta: string): string => `{% @acme/map key="${key}" meta="${meta}" %}\n`;
  const base = read(map('a', 'b'));

  it('is compared in blocks', () => {
    expect(diff(base, read(map('x', 'b'), base)).map(({ kind }) => kind)).toEqual(['changed']);
    expect(toMarkdown(merge(base, read(map('x', 'b'), base), read(map('a', 'y'), base)).document)).toBe(map('x', 'y'));
    expect(hash(base, { keys: false })).not.toBe(hash(read(map('x', 'b')), { keys: false }));
    expect(hash({ ...base, data: { meta: 1 } })).not.toBe(hash({ ...base, data: { meta: 2 } }));
  });

  it('is compared in tables', () => {
    const table = (value: number): RichDocument => {
      const data = {
        view: { type: 'grid', columns: ['key'] },
        definition: { key: { id: 'key', title: 'Key', type: 'number' } },
        records: { r: { orderIndex: '0', values: { key: value } } },
      };
      return { object: 'document', data: {}, nodes: [{ ...voidBlock('table', data), key: 't' }] };
    };
    expect(diff(table(1), table(2))).toEqual([
      expect.objectContaining({ kind: 'changed', rows: { added: [], removed: [], moved: [], changed: ['r'] } }),
    ]);
  });
});

describe('the place of a change', () => {
  it('is, in a fragment, the key of the block and the name of the fragment', () => {
    const details = (...lines: string[]): string =>
      `<details>\n\n<summary>title</summary>\n\n${lines.join('\n\n')}\n\n</details>`;
    const base = read(details('one'));
    const parent = `${base.nodes[0]?.key ?? ''}#expandable-body`;
    const both = read(details('one', 'two more'), base);
    expect(diff(base, both)).toEqual([expect.objectContaining({ kind: 'added', parent, index: 1 })]);
    expect(diff(both, read(`${details('one')}\n\ntwo more`, both))).toEqual([
      expect.objectContaining({ kind: 'moved', parent: '', from: { parent, index: 1 } }),
    ]);
  });
});

describe('hash', () => {
  it('ignores the order of properties and meta, and keys when asked', () => {
    const a: RichDocument = { object: 'document', data: { a: 1, b: 2 }, nodes: [], meta: { token: 'x' } };
    const b: RichDocument = { nodes: [], data: { b: 2, a: 1 }, object: 'document' };
    expect(hash(a)).toBe(hash(b));
    const colored = (data: Data): RichDocument => ({
      object: 'document',
      data: {},
      nodes: [paragraph([text('x', [mark('color', data)])])],
    });
    expect(hash(colored({ text: 'red', background: 'blue' }), { keys: false })).toBe(
      hash(colored({ background: 'blue', text: 'red' }), { keys: false }),
    );
    const [one, two] = [read('x'), { ...read('x') }];
    two.nodes = two.nodes.map((node) => ({ ...node, key: 'other' }));
    expect(hash(one)).not.toBe(hash(two));
    expect(hash(one, { keys: false })).toBe(hash(two, { keys: false }));
  });

  it('ignores the ids of tables if it ignores keys, and nothing else', () => {
    const table = (cell: string): string => `| a | b |\n| - | - |\n| ${cell} | y |\n`;
    const [here, elsewhere] = [
      parseMarkdown(`p\n\n${table('x')}`).document,
      parseMarkdown(`p\n\n${table('x')}`, { previous: parseMarkdown(table('z')).document }).document,
    ];
    expect(hash(here)).not.toBe(hash(elsewhere));
    expect(hash(here, { keys: false })).toBe(hash(elsewhere, { keys: false }));
    expect(hash(here, { keys: false })).not.toBe(hash(parseMarkdown(`p\n\n${table('z')}`).document, { keys: false }));
    expect(hash({ ...here, data: { other: 1 } }, { keys: false })).not.toBe(hash(here, { keys: false }));
  });
});
