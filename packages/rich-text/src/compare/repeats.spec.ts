import { describe, expect, it } from '@jest/globals';
import { toMarkdown } from '../index.js';
import { changes, code, merged, read } from '../test/merging.js';

describe('sections that have lines in common', () => {
  const section = (name: string, label = 'Example:'): string =>
    `## ${name}\n\n${label}\n\n${code(`${name.toLowerCase()} run`)}`;
  const page = (...sections: string[]): string => sections.join('\n\n');

  it('keep their own keys if a section is added before them', () => {
    const base = page(section('Alpha'), section('Beta'));
    const result = merged(
      base,
      page(section('Zero'), section('Alpha'), section('Beta')),
      page(section('Alpha', 'Example of alpha:'), section('Beta')),
    );
    expect(result).toEqual({
      text: page(section('Zero'), section('Alpha', 'Example of alpha:'), section('Beta')),
      conflicts: [],
    });
  });

  it('keep their own keys if they move', () => {
    const base = page(section('Alpha'), section('Beta'), section('Gamma'));
    const result = merged(
      base,
      page(section('Gamma'), section('Alpha'), section('Beta')),
      page(section('Alpha', 'Example of alpha:'), section('Beta'), section('Gamma')),
    );
    expect(result).toEqual({
      text: page(section('Gamma'), section('Alpha', 'Example of alpha:'), section('Beta')),
      conflicts: [],
    });
    const turned = page(section('Gamma'), section('Beta'), section('Alpha'));
    expect(
      merged(base, turned, page(section('Alpha'), section('Beta', 'Example of beta:'), section('Gamma'))).text,
    ).toBe(page(section('Gamma'), section('Beta', 'Example of beta:'), section('Alpha')));
  });

  it('can be deleted, and no other block counts as moved', () => {
    expect(
      changes(page(section('Alpha'), section('Beta'), section('Gamma')), page(section('Beta'), section('Gamma'))),
    ).toEqual(['removed', 'removed', 'removed']);
  });

  it('can be edited while another section is added', () => {
    expect(
      changes(
        page(section('Alpha'), section('Beta')),
        page(section('Alpha', 'Example of alpha:'), section('Zero'), section('Beta')),
      ),
    ).toEqual(['changed', 'added', 'added', 'added']);
  });

  it('keep their own keys in code as well', () => {
    const base = 'function a() {\n  return 1;\n}\n\nfunction b() {\n  return 1;\n}';
    const without = 'function b() {\n  return 1;\n}';
    expect(merged(code(base), code(without), code(base.replace(/1(?![^]*1)/, '2')))).toEqual({
      text: code(without.replace('1', '2')),
      conflicts: [],
    });
  });

  it('keep their own keys if their headings are questions', () => {
    const base = '## Is it fast?\n\nYes.\n\n## Is it free?\n\nYes.';
    expect(merged(base, '## Is it free?\n\nYes.', base.replace(/Yes\.$/, 'Yes, and open.'))).toEqual({
      text: '## Is it free?\n\nYes, and open.',
      conflicts: [],
    });
  });
});

describe('an equal addition of both sides', () => {
  it.each([
    ['a section', '# Changelog\n\n$\n\n## 1.0\n\n* First release.', '## 1.1\n\n* Fixed the login.'],
    ['an item', '* a one\n$\n* b two', '* c three'],
    ['a line of code', '```\na\n$\nb\n```', 'c'],
    ['a hint', 'before\n\n$\n\nafter', '{% hint style="info" %}\nwords\n{% endhint %}'],
    ['a table', 'before\n\n$\n\nafter', '| a | b |\n| - | - |\n| c | d |'],
  ])('comes once: %s', (_name, page, added) => {
    const [base, with_] = [page.replace('$\n', '').replace('\n\n\n', '\n\n'), page.replace('$', added)];
    expect(merged(`${base}\n\nlast words`, `${with_}\n\nlast words`, `${with_}\n\nlast words, changed`)).toEqual({
      text: `${toMarkdown(read(with_)).trim()}\n\nlast words, changed`,
      conflicts: [],
    });
  });
});

describe('a repeated text', () => {
  const section = (name: string, text: string, last = 'Requires a token.'): string =>
    `## ${name}\n\n${text}\n\n${last}\n\n`;
  const [list, one, legacy, order] = [
    section('List', 'Lists pets.'),
    section('One', 'Returns one pet.'),
    section('Legacy', 'Searches old animals.'),
    section('Order', 'Adds an order.'),
  ];

  it('is not matched with a text that was deleted elsewhere', () => {
    expect(merged(list + one + legacy, order + list + one, list + one).text).toBe((order + list + one).trim());
    const edited = merged(
      list + one + legacy,
      order + list + one,
      list + one + section('Legacy', 'Searches old animals.', 'Requires an admin token.'),
    );
    expect(edited).toEqual({
      text: (order + list + one + section('Legacy', 'Searches old animals.', 'Requires an admin token.')).trim(),
      conflicts: ['delete'],
    });
  });

  it('keeps its keys with the section that moved', () => {
    const base = read(list + one + legacy);
    const moved = read(legacy + list + order + one, base);
    const keys = base.nodes.map(({ key }) => key);
    expect(moved.nodes.map(({ key }) => keys.indexOf(key))).toEqual([6, 7, 8, 0, 1, 2, -1, -1, -1, 3, 4, 5]);
  });

  it('is matched in another container by its neighbours, and a text that is there once by itself', () => {
    const inHint = (text: string): string => `{% hint style="info" %}\n${text}\n{% endhint %}`;
    const [a, b] = ['Call it.\n\nTwice.', 'Or not.\n\nTwice.'];
    const base = read(`${a}\n\n${b}\n\n$$\nx\n$$\n\n* One`);
    const moved = read(`${a}\n\n${inHint(b)}\n\n${inHint('$$\nx\n$$')}\n\n* New\n  * One`, base);
    const keys = new Set(JSON.stringify(base).match(/"key":"\w+"/g));
    const kept = (JSON.stringify(moved).match(/"key":"\w+"/g) ?? []).filter((key) => keys.has(key));
    expect(new Set(kept)).toEqual(keys);
  });
});
