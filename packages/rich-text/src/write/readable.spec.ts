import { describe, expect, it } from '@jest/globals';
import { hash, parseMarkdown, toMarkdown } from '../index.js';

/** The text as it is written again, once it was proved to be read as the same. */
function written(markdown: string): string {
  const { document } = parseMarkdown(markdown);
  const text = toMarkdown(document);
  expect(hash(parseMarkdown(text).document, { keys: false })).toBe(hash(document, { keys: false }));
  return text.trim();
}

describe('what is written is what a person would write', () => {
  it.each([
    ['Chinese', '这*斜体*的，这**重点**的，~~删~~除。“**引号**”（_注意_）：**不要**！'],
    ['Chinese between punctuation', '这。*斜体*，的'.replaceAll('*', '_')],
    ['Japanese', '日本*語*です。**太字**にする。「_強調_」'],
    ['Korean', '한국어*강조*입니다 **굵게** 씁니다.'],
    ['Arabic', 'ال*مهم*ة و**الأهم** جدا، _مائل_.'],
    ['inside a word', 'un*frigging*believable and in**side**s and è*à*ù'],
    ['beside a word', 'pre*fix* and *suf*fix'],
    ['apart from words', 'some _italic_ and **bold** words'],
  ])('where emphasis touches words: %s', (_name, markdown) => expect(written(markdown)).toBe(markdown));

  it.each([
    ['Chinese', '这<strong>「强调」</strong>内容', '这<strong>「强调」</strong>内容'],
    ['Japanese', '日本語<em>「強調」</em>です', '日本語<em>「強調」</em>です'],
    ['a word', '<b>foo!</b>bar<i>(baz)</i>', '<strong>foo!</strong>bar<em>(baz)</em>'],
    ['code', '这<del>`代码`</del>是', '这<del>`代码`</del>是'],
    ['both marks', '这<em><strong>粗斜</strong></em>的', '这<em>**粗斜**</em>的'],
    ['neither side', '“<b>「强调」</b>”', '“**「强调」**”'],
  ])('as an element where markdown has no marker for it: %s', (_name, markdown, text) =>
    expect(written(markdown)).toBe(text),
  );

  it.each([
    ['an address', '{% embed url="https://x.y/?a=1&b=2" %}'],
    ['a title', '{% tabs %}\n{% tab title="A & B < C > D | E" %}\nx\n{% endtab %}\n{% endtabs %}'],
    ['a title of code', '{% code title="a|b & c.js" %}\n```js\nx\n```\n{% endcode %}'],
    ['a picture', '<figure><img src="https://a.b/c.png?x=1&y=2" alt="a & b <c>"><figcaption></figcaption></figure>'],
    ['what would be a reference', '{% tabs %}\n{% tab title="&amp;amp; &amp;lt;" %}\nx\n{% endtab %}\n{% endtabs %}'],
    [
      'quotes and ends of elements',
      '{% tabs %}\n{% tab title="&quot;A&quot; &lt;/pre>" %}\nx\n{% endtab %}\n{% endtabs %}',
    ],
  ])('in attributes: %s', (_name, markdown) => expect(written(markdown)).toBe(markdown));

  it('in cells of tables', () => {
    const table = (cell: string): string => `| a | b |\n| - | - |\n| ${cell} | x |`;
    expect(written(table('$$a^2$$'))).toBe(table('$$a^2$$'));
    expect(written(table('see $$\\frac{a}{b}$$ here'))).toBe(table('see $$\\frac{a}{b}$$ here'));
    expect(written(table('<span data-tag="inline-math" data-formula="a &#124; b"></span>'))).toBe(
      table('<span data-tag="inline-math" data-formula="a &#124; b"></span>'),
    );
    expect(written(table('<img src="https://a.b/c.png" alt="a &#124; b" data-size="line">'))).toContain(
      'alt="a &#124; b"',
    );
  });
});
