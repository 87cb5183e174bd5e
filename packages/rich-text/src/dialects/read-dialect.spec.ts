import { describe, expect, it } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';
import { hash, parseMarkdown, toMarkdown, type Dialect, type RichDocument } from '../index.js';
import { cost, slowMs } from '../test/cost.js';

const read = (
  text: string,
  dialect: Dialect = 'other',
): { text: string; leftOut: readonly string[]; title?: string } => {
  const { document, leftOut = [], title } = parseMarkdown(text, { context: 'page', dialect });
  return { text: toMarkdown(document, { context: 'page' }).trim(), leftOut, ...(title !== undefined && { title }) };
};
const hint = (style: string, ...lines: string[]): string =>
  [`{% hint style="${style}" %}`, ...lines, '{% endhint %}'].join('\n');
const tabs = (...parts: Array<[title: string, text: string]>): string =>
  [
    '{% tabs %}',
    parts.map(([title, text]) => `{% tab title="${title}" %}\n${text}\n{% endtab %}`).join('\n\n'),
    '{% endtabs %}',
  ].join('\n');

describe('a container of another product', () => {
  it.each<[string, string, string]>([
    ['colons', ':::tip\nWords\n:::', hint('success', 'Words')],
    ['colons with a title', ':::tip A *title*\nWords\n:::', hint('success', '### A title', '', 'Words')],
    ['colons with a label', ':::danger[Not `now`]\n\nWords\n\n:::', hint('danger', '### Not now', '', 'Words')],
    [
      'colons with an attribute',
      ':::caution{title="Not now"}\nWords\n:::',
      hint('warning', '### Not now', '', 'Words'),
    ],
    [
      'colons in colons',
      '::::details More\n:::note\nWords\n:::\n::::',
      `<details>\n\n<summary>More</summary>\n\n${hint('info', 'Words')}\n\n</details>`,
    ],
    [
      'colons in an item',
      '* one\n\n  :::note\n  Words\n  :::',
      '* one\n\n  {% hint style="info" %}\n  Words\n  {% endhint %}',
    ],
    [
      'exclamation marks',
      '!!! note "A title"\n    Words\n\n    * item\n\nAfter',
      `${hint('info', '### A title', '', 'Words', '', '* item')}\n\nAfter`,
    ],
    [
      'question marks',
      '??? warning "A title"\n    Words',
      '<details>\n\n<summary>A title</summary>\n\nWords\n\n</details>',
    ],
    [
      'question marks with a plus',
      '???+ note\n    Words',
      '<details open>\n\n<summary>Note</summary>\n\nWords\n\n</details>',
    ],
    [
      'equals signs',
      '=== "One"\n\n    one\n\n=== "Two"\n\n    ```\n    two\n    ```',
      tabs(['One', 'one'], ['Two', '```\ntwo\n```']),
    ],
    ['a marker in a quote', '> [!warning] A *title*\n> Words', hint('warning', '### A _title_', '', 'Words')],
    ['a marker in a quote that folds', '> [!tip]-\n> Words', hint('success', 'Words')],
    ['<Note>', '<Note>Words **b**</Note>', hint('info', 'Words **b**')],
    ['<Tip> over lines', '<Tip>\n  Words\n\n  * item\n</Tip>', hint('success', 'Words', '', '* item')],
    [
      '<Warning> in an item',
      '1. one\n\n   <Warning>\n     Words\n   </Warning>\n2. two',
      '1. one\n\n   {% hint style="warning" %}\n   Words\n   {% endhint %}\n2. two',
    ],
    ['<Callout type>', '<Callout type="error" title="No">Words</Callout>', hint('danger', '### No', '', 'Words')],
    [
      '<Tabs>',
      '<Tabs>\n  <Tab title="One">\n    one\n  </Tab>\n  <Tab title="Two">two</Tab>\n</Tabs>',
      tabs(['One', 'one'], ['Two', 'two']),
    ],
    [
      '<TabItem>',
      '<Tabs groupId="os" values={[{a: 1}]}>\n<TabItem value="a" label="One">\n\none\n\n</TabItem>\n</Tabs>',
      tabs(['One', 'one']),
    ],
    [
      '<Steps>',
      '<Steps>\n  <Step title="First">\n    Do it\n  </Step>\n</Steps>',
      '{% stepper %}\n{% step %}\n### First\n\nDo it\n{% endstep %}\n{% endstepper %}',
    ],
    [
      '<Accordion>',
      '<AccordionGroup>\n  <Accordion title="More">\n    Words\n  </Accordion>\n</AccordionGroup>',
      '<details>\n\n<summary>More</summary>\n\nWords\n\n</details>',
    ],
    [
      'a block of GitBook',
      '<div data-gb-custom-block data-tag="hint" data-style=\'danger\'>\n\nWords\n\n</div>',
      hint('danger', 'Words'),
    ],
    [
      'a size of an image',
      '![a](https://a.b/c.png =100x50)',
      '<figure><img src="https://a.b/c.png" alt="a" width="100" height="50"><figcaption></figcaption></figure>',
    ],
  ])('is read: %s', (_name, text, wanted) => {
    const found = read(text);
    expect(found.text).toBe(wanted);
    expect(found.leftOut).toEqual([]);
  });

  it('is read as cards, each with what it leads to', () => {
    const { document } = parseMarkdown(
      '<CardGroup cols={2}>\n  <Card title="One" href="/pages/p1">\n    Words **b**\n  </Card>\n  <Card title="Two" />\n</CardGroup>',
      { dialect: 'other' },
    );
    expect(document.nodes.map(({ type, data }) => [type, (data['view'] as { type: string }).type])).toEqual([
      ['table', 'cards'],
    ]);
    expect(toMarkdown(document)).toContain(
      '<td><strong>One</strong></td><td>Words <strong>b</strong></td><td><a href="/pages/p1">',
    );
    expect(toMarkdown(document)).toContain('<td><strong>Two</strong></td>');
  });

  it.each([
    ['in a fence', '```md\n:::tip\nWords\n:::\n<Note>x</Note>\n```'],
    ['in an indented block', 'Words\n\n    :::tip\n    Words\n    :::'],
    ['in a line of code', 'Words `<Note>x</Note>` and `:::tip`'],
    ['without an end', ':::tip\n\nWords'],
    ['of a name that nobody knows', 'A List<String> and a <Foo>x</Foo>'],
    ['that is escaped', '\\<Note>x</Note>'],
    ['without its other half', 'Words <Note> and </Tip> of <Tip>it</Tip'],
    ['with nothing inside', '!!! note\n\nWords'],
    ['that are braces', 'Words {x} and {/* y */}'],
  ])('stays as it is %s', (_name, text) => {
    const plain = parseMarkdown(text, { context: 'page' }).document;
    const keyless = (document: RichDocument): string => hash(document, { keys: false });
    const found = parseMarkdown(text, { context: 'page', dialect: 'other' });
    expect(keyless(found.document)).toBe(keyless(plain));
    expect(found.leftOut).toBeUndefined();
  });

  it('of a name that is nothing here leaves what it holds, and is named', () => {
    expect(
      read(
        ':::unknown Its title\nWords\n:::\n\n<Figure number="1" caption="A `program`">\n\n```\na\n```\n\n</Figure>\n\n<Gone />',
      ),
    ).toEqual({
      text: 'Its title\n\nWords\n\nA `program`\n\n```\na\n```',
      leftOut: [':::unknown', '<Figure>', '<Gone>'],
    });
  });

  it('of code for a generator of sites is left out, and named', () => {
    expect(
      read(
        "import Tabs from '@theme/Tabs';\n\n# Title\n\n<script setup>\nlet a = 1;\n\nlet b;\n</script>\n\nWords\n\n<style>\na {}\n</style>",
      ),
    ).toEqual({
      text: 'Words',
      title: 'Title',
      leftOut: ['import', 'script', 'style'],
    });
  });

  it('is front matter of TOML', () => {
    const text =
      '+++\ntitle = "A"\ndescription = \'It is "so"\'\nhidden = true\ntags = ["a", "b"]\n[extra]\nx = 1\n+++\n\nWords';
    expect(parseMarkdown(text, { context: 'page', dialect: 'other' }).frontMatter).toEqual({
      hidden: true,
      tags: ['a', 'b'],
      other: { title: 'A' },
    });
    expect(
      parseMarkdown('+++\ndescription = "A b"\n+++\nWords', { context: 'page', dialect: 'other' }).frontMatter,
    ).toEqual({ description: 'A b' });
  });
});

describe('MDX', () => {
  it.each<[string, string, string, string[]]>([
    [
      'modules',
      'import A from "a"\nexport const x = {\n  a: 1,\n\n  b: 2,\n}\n\nWords\n\nexport is a word',
      'Words\n\nexport is a word',
      ['import'],
    ],
    [
      'what is exported',
      'Words\n\nexport default ({ children }) => <div>{children}</div>\n\nMore',
      'Words\n\nMore',
      ['export'],
    ],
    ['components', '<Frame>\n    <Badge a={1}>In</Badge> the frame\n</Frame>', 'In the frame', ['<Badge>']],
    ['components over lines', 'Words\n\n<Foo\n  a={[1,\n    2]}\n>\n    inside\n</Foo>', 'Words\n\ninside', ['<Foo>']],
    ['expressions', 'Words {x.map((y) => `${y}`)} more {"said"}.', 'Words  more said.', ['{…}']],
    ['comments', 'Words\n\n{/* no\n\nwords */}\n\nMore', 'Words\n\nMore', []],
    ['attributes that are no HTML', '<div className="a" style={{ b: 1 }}>\n\nWords\n\n</div>', 'Words', []],
    ['fragments', '<>Words</>', 'Words', []],
    ['rows of tables', '| a |\n| - |\n| <Icon x={1} /> b {y} |', '| a |\n| - |\n| b |', ['<Icon>', '{…}']],
    [
      'code',
      'Words `{x}` and\n\n```js\nimport a from "b";\n{x}\n```',
      'Words `{x}` and\n\n```js\nimport a from "b";\n{x}\n```',
      [],
    ],
    ['tags of this format', '{% hint style="info" %}\nWords\n{% endhint %}', hint('info', 'Words'), []],
    ['an id of a heading', '## Words {/* #here */}', '## Words <a href="#here" id="here"></a>', []],
    ['what is escaped', 'Words \\{x} and \\<Foo>', 'Words {x} and \\<Foo>', []],
  ])('is read as markdown: %s', (_name, text, wanted, leftOut) => {
    expect(read(text, 'mdx')).toEqual({ text: wanted, leftOut });
  });
});

/** For up to 30,000 lines. */
const longMs = sized(8, 40) * slowMs();
const many = (number: number): number => sized(number / 5, number);

describe('a hostile text in another dialect', () => {
  it.each([
    ['open colons', ':::tip\n'.repeat(many(20_000))],
    ['nested colons', ':::tip\n'.repeat(many(5000)) + ':::\n'.repeat(many(5000))],
    ['open tags', '<Note '.repeat(many(30_000))],
    ['open values', '<Note a="'.repeat(many(20_000))],
    ['open braces', '{'.repeat(many(200_000))],
    ['backticks', Array.from({ length: 500 }, (_, n) => '`'.repeat(n + 1)).join(' x ')],
    ['components on a line', '<Foo>x'.repeat(many(30_000))],
    ['modules', 'export const a = {\n\n'.repeat(many(15_000))],
    ['includes', '{{#include '.repeat(many(30_000))],
    ['includes in code', '```\n{{#include a\n```\n'.repeat(many(5000))],
    ['scripts', '<script>\n'.repeat(many(20_000))],
    ['tabs', '=== "a"\n\n    b\n'.repeat(many(8000))],
    [
      'groups of cards in each other',
      '<CardGroup>\n'.repeat(50) + '<Card>\nx\n</Card>\n'.repeat(500) + '</CardGroup>\n'.repeat(50),
    ],
    ['ends of what was not begun', '<Note>\n'.repeat(many(15_000)) + '</Tip>\n'.repeat(many(15_000))],
    ['ends that are too short', '::::tip\n'.repeat(many(15_000)) + ':::\n'.repeat(many(15_000))],
    ['a title of spaces', `!!! a${' '.repeat(many(200_000))}b\n    c`],
    ['spaces', `:::tip a${' '.repeat(many(200_000))}b\n:::`],
  ])('is read or refused in time: %s', (_name, text) => {
    for (const dialect of ['other', 'mdx'] as const) {
      expect(cost(text, dialect).ms).toBeLessThan(longMs);
    }
  });
});
