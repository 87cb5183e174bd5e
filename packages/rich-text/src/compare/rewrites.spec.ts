import { describe, expect, it } from '@jest/globals';
import { merge, rematch, toMarkdown, validate, type RichDocument } from '../index.js';
import { paragraph, text } from '../model/build.js';
import { cells, changes, code, merged, read } from '../test/merging.js';

describe('a text that both sides rewrote', () => {
  it.each([
    ['an amount', 'It costs $1,000.00 a month.', 'It costs $2,000.00 a month.', 'It costs $1,500.00 a month.'],
    ['a version', 'Version 1.0.0', 'Version 1.1.0', 'Version 2.0.0'],
    ['a date', 'on 2026-01-15', 'on 2026-02-15', 'on 2026-01-20'],
    ['a name', 'the user-name', 'the nick-name', 'the user-id'],
    ['a line of code', code('if (a < b) run();'), code('if (a <= b) run();'), code('if (a < b + 1) run();')],
    ['a whole line of code', code('foo\nbar'), code('foo\nqux'), code('foo\nzap')],
    [
      'a cell',
      cells('| port | 3000 |', '| host | x |'),
      cells('| port | 4000 |', '| host | x |'),
      cells('| port | 5000 |', '| host | x |'),
    ],
    ['an emptied cell', cells('| a | old |'), cells('| a | new |'), cells('| a | |')],
    [
      'a text in a cell',
      cells('| desc | The old text here |'),
      cells('| desc | Something new entirely |'),
      cells('| desc | Another thing altogether |'),
    ],
    ['a heading', '## Overveiw', '## Overview', '## Introduction'],
    [
      'a title',
      '<details>\n\n<summary>Title</summary>\n\nbody\n\n</details>',
      '<details>\n\n<summary>Foo</summary>\n\nbody\n\n</details>',
      '<details>\n\n<summary>Bar</summary>\n\nbody\n\n</details>',
    ],
    ['an item', '* Apple\n* Banana\n* Cherry', '* Apple\n* Blueberry\n* Cherry', '* Apple\n* Blackberry\n* Cherry'],
    ['a formula', '$$\nx^2\n$$', '$$\ny^2\n$$', '$$\nz\n$$'],
    [
      'a paragraph',
      'before it\n\nold words\n\nafter it',
      'before it\n\nquite different\n\nafter it',
      'before it\n\nsomething else\n\nafter it',
    ],
  ])('is a conflict in which ours stays: %s', (_name, base, ours, theirs) => {
    const result = merged(base, ours, theirs);
    expect(result.conflicts).toContain('edit');
    expect(result.text).toBe(toMarkdown(read(ours)).trim());
  });

  it('keeps the new words of a line of code and the highlighting by the other side', () => {
    const line = (first: string): string =>
      `<pre class="language-js"><code class="lang-js">${first}\nlast();</code></pre>`;
    const both = merged(line('run(1);'), line('<strong>run(2);</strong>'), line('run(2);'));
    expect(both.conflicts).toEqual([]);
    expect(both.text).toContain('run(2);');
  });

  it('leaves a paragraph in a cell of two from which each side deleted another one', () => {
    const cell = (...lines: string[]): string =>
      `<table><tbody><tr><td>${lines.map((line) => `<p>${line}</p>`).join('')}</td><td>x</td></tr></tbody></table>`;
    const base = read(cell('first words', 'other lines'));
    const { document } = merge(base, read(cell('first words'), base), read(cell('other lines'), base));
    expect(validate(document)).toEqual(document);
  });

  it('is merged by words, and by characters in scripts without spaces', () => {
    expect(merged('Version 1.0.0 of (the) tool', 'Version 1.1.0 of (the) tool', 'Version 1.0.0 of (our) tool')).toEqual(
      { text: 'Version 1.1.0 of (our) tool', conflicts: [] },
    );
    expect(merged('東京は日本の首都です。', '東京は日本国の首都です。', '東京は日本の首都である。')).toEqual({
      text: '東京は日本国の首都である。',
      conflicts: [],
    });
  });
});

describe('a short block that changed in its place', () => {
  it.each([
    ['a heading', '## Overveiw\n\ntext', '## Overview\n\ntext'],
    ['a heading of several words', '## Getting started\n\ntext', '## Getting set up\n\ntext'],
    ['the level of a heading', '## Setup\n\ntext', '### Setup\n\ntext'],
    ['the kind of a list', '* one\n* two', '1. one\n2. two'],
    ['a formula', '$$\nx^2\n$$', '$$\nx^2+1\n$$'],
    ['the address of an embed', '{% embed url="https://a.b/c" %}', '{% embed url="https://d.e/f" %}'],
    [
      'an image',
      '<figure><img src="https://a.b/c.png" alt="one"><figcaption>two</figcaption></figure>',
      '<figure><img src="https://a.b/c.png" alt="three"><figcaption>four</figcaption></figure>',
    ],
    ['a cell', cells('| only |  |'), cells('| other |  |')],
  ])('is the same block: %s', (_name, before, after) =>
    expect(new Set(changes(before, after))).toEqual(new Set(['changed'])),
  );

  it('keeps additions of the other side behind it', () => {
    const result = merged(
      'Intro para.\n\n## Setup\n\nFirst do this.',
      'Intro para.\n\n## Installation\n\nFirst do this.',
      'Intro para.\n\n## Setup\n\nInstall the tool before anything.\n\nFirst do this.',
    );
    expect(result).toEqual({
      text: 'Intro para.\n\n## Installation\n\nInstall the tool before anything.\n\nFirst do this.',
      conflicts: [],
    });
  });

  it('is a new block if the old one moved elsewhere', () => {
    const before = '{% hint style="info" %}\nthe old words\n{% endhint %}\n\nlast words here';
    expect(
      changes(
        before,
        '{% hint style="info" %}\nsomething new instead\n{% endhint %}\n\nlast words here\n\nthe old words',
      ),
    ).toEqual(['added', 'moved']);
  });
});

describe('a document that replaces another one', () => {
  const column = (...rows: string[]): string => ['| only |', '| - |', ...rows.map((row) => `| ${row} |`)].join('\n');

  it('has all its rows, whatever ids the rows of earlier ones had', () => {
    const last = [['one', 'two'], ['one'], ['alpha'], ['two'], ['one', 'two']].reduce<RichDocument | undefined>(
      (previous, rows) => read(column(...rows), previous),
      undefined,
    );
    expect(last && toMarkdown(last).trim()).toBe(column('one', 'two'));
    expect(last && validate(last)).toEqual(last);
  });

  it('has unique keys if a text moved whose note is like another text that moved', () => {
    const long = Array.from({ length: 60 }, (_, i) => `w${i}`).join(' ');
    const quote = '> quote stays here in its place.';
    const before = read(`${long} word[^n].\n\n${quote}\n\n[^n]: one two three four five six seven eight nine ten`);
    const after = read(
      `${quote}\n>\n> ${long} iota word[^n].\n>\n> - one two three four five six seven changed now altered\n\n[^n]: totally different note`,
      before,
    );
    expect(validate(after)).toEqual(after);
  });

  it('has unique keys after a merge if one side deleted the text of a note and the other kept it', () => {
    const around = (words: string, note: string): string =>
      `Intro words here.\n\n${words}## Then a heading\n\nLast words.\n\n[^n]: ${note}\n\n    alpha gamma iota iota`;
    const noted = 'alpha alpha alpha[^n] eta beta\n\n';
    const base = read(around(noted, 'alpha epsilon eta'));
    const [left, kept] = [read(around('', 'alpha epsilon eta'), base), read(around(noted, 'delta zeta eta'), base)];
    for (const { document } of [merge(base, kept, left), merge(base, left, kept)])
      expect(validate(document)).toEqual(document);
  });

  it('has unique keys, also for blocks that bring their own', () => {
    const keyed = (...blocks: Array<[string, string]>): RichDocument => ({
      object: 'document',
      data: {},
      nodes: blocks.map(([key, words]) => ({ ...paragraph([text(words)]), key })),
    });
    const keys = rematch(
      keyed(['B', 'aaa'], ['A', 'bbb'], ['C', 'quite new'], ['B', 'new again']),
      keyed(['A', 'aaa'], ['B', 'bbb']),
    ).nodes.map(({ key }) => key);
    expect(keys.slice(0, 3)).toEqual(['A', 'B', 'C']);
    expect(new Set(keys).size).toBe(4);
  });
});

describe('marks by one side on words that the other side changed', () => {
  it.each([
    [
      'a word edited in a phrase',
      'The quick brown fox jumps',
      'The **quick brown fox** jumps',
      'The quick red fox jumps',
      'The **quick red fox** jumps',
    ],
    [
      'the first word of it',
      'The quick brown fox jumps',
      'The **quick brown fox** jumps',
      'The fast brown fox jumps',
      'The **fast brown fox** jumps',
    ],
    [
      'a word added in it',
      'The quick fox jumps',
      'The **quick fox** jumps',
      'The quick young fox jumps',
      'The **quick young fox** jumps',
    ],
    [
      'a word added behind it',
      'The quick fox jumps',
      'The **quick fox** jumps',
      'The quick fox always jumps',
      'The **quick fox** always jumps',
    ],
    [
      'a word deleted in it',
      'The quick brown fox jumps',
      'The *quick brown fox* jumps',
      'The quick fox jumps',
      'The _quick fox_ jumps',
    ],
    [
      'marks taken away',
      'The **quick brown fox** jumps',
      'The quick brown fox jumps',
      'The **quick red fox** jumps',
      'The quick red fox jumps',
    ],
    ['other marks of other words', 'one two three', '**one** two three', 'one two *three*', '**one** two _three_'],
    [
      'two words of a link',
      'See [the old docs](/pages/a) now',
      'See [the new docs](/pages/a) now',
      'See [the old pages](/pages/a) now',
      'See [the new pages](/pages/a) now',
    ],
    [
      'the target and a word of a link',
      'See [the docs](/pages/a) now',
      'See [the docs](/pages/b) now',
      'See [all docs](/pages/a) now',
      'See [all docs](/pages/b) now',
    ],
    [
      'two targets of a link',
      'See [the docs](/pages/a) now',
      'See [the docs](/pages/b) now',
      'See [the docs](/pages/c) now',
      null,
    ],
    ['other marks of one phrase', 'one two three', '**one two** three', 'one `two` three!', null],
  ])('stay: %s', (_name, base, ours, theirs, expected) => {
    if (expected === null) expect(merged(base, ours, theirs).conflicts).toEqual(['edit']);
    else
      for (const [a, b] of [
        [ours, theirs],
        [theirs, ours],
      ] as const)
        expect(merged(base, a, b)).toEqual({ text: expected, conflicts: [] });
  });
});

describe('different additions of both sides', () => {
  it.each([
    [
      'sections that share a line',
      'Intro.',
      '## A\n\nRequires a token.\n\nText of A.',
      '## B\n\nRequires a token.\n\nText of B.',
    ],
    ['releases that share a heading', '# Changes', '## 1.1\n\n### Fixed\n\n* One', '## 1.2\n\n### Fixed\n\n* Two'],
    ['an introduction and its own text', 'Intro.', 'Example:\n\nOne way.', 'For instance:\n\nExample:\n\nAnother way.'],
  ])('are both complete: %s', (_name, base, a, b) => {
    const { text, conflicts } = merged(base, `${base}\n\n${a}`, `${base}\n\n${b}`);
    expect(conflicts).toEqual([]);
    expect(
      [`${base}\n\n${a}\n\n${b}`, `${base}\n\n${b}\n\n${a}`].map((each) => toMarkdown(read(each)).trim()),
    ).toContain(text);
  });

  it('keep the closing lines of both pieces of code', () => {
    const { text } = merged(code('a();'), code('a();\nif (x) {\n  b();\n}'), code('a();\nif (y) {\n  c();\n}'));
    expect([...text.matchAll(/if \(.\) \{\n {2}.\(\);\n\}/g)]).toHaveLength(2);
  });

  it.each([
    ['to a section, and a section', 'Intro.\n\n## A\n\nText of A.', 'More on A.', '## B\n\nText of B.'],
    [
      'to a section, and to the one it is in',
      'Intro.\n\n## A\n\nText of A.',
      '### More on A\n\nIt is.',
      '## B\n\nText of B.',
    ],
    [
      'to a section, and what both have',
      'Intro.\n\n## A\n\nText of A.',
      'More on A.\n\n## C\n\nText of C.',
      '## C\n\nText of C.\n\n## B\n\nText of B.',
    ],
  ])('stay below their own headings: %s', (_name, base, a, b) => {
    const [one, other] = [`${base}\n\n${a}`, `${base}\n\n${b}`];
    const whole = toMarkdown(read(`${one}\n\n${b.replace(/^## C[^]*?(?=## B)/, '')}`)).trim();
    expect(merged(base, one, other)).toEqual({ text: whole, conflicts: [] });
    expect(merged(base, other, one)).toEqual({ text: whole, conflicts: [] });
  });

  it('continue a section whose beginning both sides added', () => {
    const { text } = merged(
      'Intro.',
      'Intro.\n\n## New\n\nBoth say this.\n\nOurs says that.',
      'Intro.\n\n## New\n\nBoth say this.',
    );
    expect(text).toBe('Intro.\n\n## New\n\nBoth say this.\n\nOurs says that.');
    const both = merged('Intro.', 'Intro.\n\n## New\n\nOurs says that.', 'Intro.\n\n## New\n\nTheirs says this.').text;
    expect(both.match(/## New/g)).toHaveLength(1);
  });
});

describe('a block that one side deleted and the other edited', () => {
  it.each([
    ['a task', '* [ ] A one\n* [ ] B two', '* [x] A one\n* [ ] B two', '* [ ] B two'],
    [
      'a line of code',
      'Intro.\n\n```js\nf(() => {\n  a(1);\n});\n```',
      'Intro.\n\n```js\nf(() => {\n  a(2);\n});\n```',
      'Intro.',
    ],
    ['the language of code', 'Intro.\n\n```js\na\nb\n```', 'Intro.\n\n```ts\na\nb\n```', 'Intro.'],
    ['code of which a line went', 'Intro.\n\n```js\na\nb\n```', 'Intro.\n\n```js\nb\n```', 'Intro.'],
    [
      'a body',
      'Intro.\n\n<details>\n\n<summary>More</summary>\n\nOne.\n\nTwo.\n\n</details>',
      'Intro.\n\n<details>\n\n<summary>More</summary>\n\nOne.\n\nTwo now.\n\n</details>',
      'Intro.',
    ],
    [
      'a list',
      'Intro.\n\n1. One step\n2. Two steps\n3. Three steps',
      'Intro.\n\n1. One step\n2. Two steps, now\n3. Three steps',
      'Intro.',
    ],
    [
      'a section',
      'Intro.\n\n## A\n\nOne of A.\n\nTwo of A.\n\n## B\n\nAll of B.',
      'Intro.\n\n## A\n\nOne of A.\n\nTwo of A now.\n\n## B\n\nAll of B.',
      'Intro.\n\n## B\n\nAll of B.',
    ],
  ])('stays whole: %s', (_name, base, edited, deleted) => {
    expect(merged(base, edited, deleted)).toEqual({ text: toMarkdown(read(edited)).trim(), conflicts: ['delete'] });
    expect(merged(base, deleted, edited)).toEqual({ text: toMarkdown(read(edited)).trim(), conflicts: ['delete'] });
  });

  it.each([
    ['a hint', '{% hint style="info" %}\n$\n{% endhint %}', '$'],
    ['a quote for a hint', '> $', '{% hint style="info" %}\n$\n{% endhint %}'],
    ['tabs', '{% tabs %}\n{% tab title="One" %}\n$\n{% endtab %}\n{% endtabs %}', '## One\n\n$'],
  ])('has the edit at its new place if only its container was removed: %s', (_name, around, instead) => {
    const [base, edited, without] = [
      around.replace('$', 'Read me first.'),
      around.replace('$', 'Read me first please.'),
      instead.replace('$', 'Read me first.'),
    ];
    expect(merged(base, without, edited)).toEqual({
      text: toMarkdown(read(instead.replace('$', 'Read me first please.'))).trim(),
      conflicts: [],
    });
  });
});
