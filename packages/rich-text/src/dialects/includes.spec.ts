import { describe, expect, it } from '@jest/globals';
import { includesOf, parseMarkdown, toMarkdown } from '../index.js';

const files: Readonly<Record<string, string>> = {
  'a.rs': 'one\ntwo\nthree\nfour\n',
  'b.rs': 'before\n// ANCHOR: here\nlet a;\n// ANCHOR: in\nlet b;\n// ANCHOR_END: in\n// ANCHOR_END: here\nafter\n',
  'c.md': '```\nx\n```\n',
};
const read = (text: string): { text: string; leftOut: readonly string[] } => {
  const { document, leftOut = [] } = parseMarkdown(text, { dialect: 'other', included: (path) => files[path] });
  return { text: toMarkdown(document).trim(), leftOut };
};
const code = (include: string, info = 'rust'): string => `\`\`\`${info}\n${include}\n\`\`\``;

describe('a block of code that is nothing but an include of mdBook', () => {
  it.each([
    ['all lines', '{{#include a.rs}}', 'one\ntwo\nthree\nfour'],
    ['one line', '{{#include a.rs:2}}', 'two'],
    ['lines from a number to another', '{{#include a.rs:2:3}}', 'two\nthree'],
    ['lines from a number on', '{{#include a.rs:3:}}', 'three\nfour'],
    ['lines to a number', '{{#rustdoc_include a.rs::2}}', 'one\ntwo'],
    ['lines between comments', '{{#rustdoc_include b.rs:here}}', 'let a;\nlet b;'],
    ['a program that can be changed', '{{#playground a.rs editable}}', 'one\ntwo\nthree\nfour'],
  ])('shows %s of the file', (_name, include, shown) => {
    expect(read(code(include))).toEqual({ text: code(shown), leftOut: [] });
  });

  it('has a fence that the file does not end', () => {
    expect(read(`* item\n\n  ${code('{{#include c.md}}', 'md').replaceAll('\n', '\n  ')}\n\nAfter`)).toEqual({
      text: '* item\n\n  ````md\n  ```\n  x\n  ```\n  ````\n\nAfter',
      leftOut: [],
    });
  });

  it.each([
    ['of a file that is not there', code('{{#include none.rs}}'), ['{{#include}} (1)']],
    ['of lines that are not there', code('{{#include a.rs:9}}'), ['{{#include}} (1)']],
    ['of a name that is not there', code('{{#include b.rs:none}}'), ['{{#include}} (1)']],
    ['beside other code', code('{{#include a.rs}}\nmore'), ['{{#include}} (1)']],
    [
      'in a text',
      'See {{#include a.rs}}, {{#include b.rs}} and {{#playground a.rs}}',
      ['{{#include}} (2)', '{{#playground}} (1)'],
    ],
    ['in code that shows code', `~~~md\n${code('{{#include a.rs}}')}\n~~~`, ['{{#include}} (1)']],
  ])('stays, and is told, %s', (_name, text, leftOut) => {
    const plain = toMarkdown(parseMarkdown(text).document).trim();
    expect(read(text)).toEqual({ text: plain, leftOut });
  });

  it('is none in a span of code', () => {
    expect(read('Write `{{#include a.rs}}`.')).toEqual({ text: 'Write `{{#include a.rs}}`.', leftOut: [] });
  });

  it('is none where it is escaped', () => {
    expect(read(code('\\{{#include a.rs}}'))).toEqual({ text: code('\\{{#include a.rs}}'), leftOut: [] });
  });

  it('adds no more lines than a page can have', () => {
    const long = 'x\n'.repeat(3000);
    const text = `${code('{{#include a}}')}\n\n${code('{{#include b}}')}`;
    const { document, leftOut } = parseMarkdown(text, { dialect: 'other', included: () => long });
    expect(document.nodes.map(({ nodes }) => nodes?.length)).toEqual([3000, 1]);
    expect(leftOut).toEqual(['{{#include}} (1)']);
  });

  it('is listed by its path, each once', () => {
    const text = `---\na: b\n---\n\n${code('{{#include a.rs:1}}')}\n\n${code('{{#include a.rs:2}}')}\n\n{{#include b.rs}}`;
    expect(includesOf(text, 'other')).toEqual(['a.rs']);
    expect(includesOf('Words', 'mdx')).toEqual([]);
  });
});

describe('a listing of a book', () => {
  const listing = (attributes: string, inside: string): string => `<Listing${attributes}>\n\n${inside}\n\n</Listing>`;

  it.each([
    [
      'its file as a title, its number and caption below',
      listing(' number="1-1" file-name="src/main.rs" caption="A `program`"', '```rust\na\n```'),
      '{% code title="src/main.rs" %}\n```rust\na\n```\n{% endcode %}\n\nListing 1-1: A `program`',
    ],
    ['its number alone', listing(' number="2"', '```\na\n```'), '```\na\n```\n\nListing 2'],
    ['its caption alone', listing(' caption="Said"', '```\na\n```'), '```\na\n```\n\nSaid'],
    ['nothing but its code', listing('', '```\na\n```'), '```\na\n```'],
    [
      'its file above more than one block',
      listing(' file-name="a.rs"', '```\na\n```\n\n```\nb\n```'),
      'a.rs\n\n```\na\n```\n\n```\nb\n```',
    ],
    ['the lines of a file', listing(' caption="Said"', code('{{#include a.rs:1}}')), '```rust\none\n```\n\nSaid'],
  ])('keeps %s', (_name, text, wanted) => {
    expect(read(text)).toEqual({ text: wanted, leftOut: [] });
  });
});
