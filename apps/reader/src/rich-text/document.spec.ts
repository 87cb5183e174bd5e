import { describe, expect, it } from '@jest/globals';
import { parseMarkdown, type Block } from '@scriptorium/rich-text';
import { readFileSync, readdirSync } from 'node:fs';
import { blocks, page, shown } from '../test/document.js';

const block = (type: string, data: Block['data'] = {}, more: Partial<Block> = {}): Block => ({
  object: 'block',
  type,
  isVoid: false,
  data,
  ...more,
});
const text = (value: string) => ({
  object: 'text' as const,
  leaves: [{ object: 'leaf' as const, text: value, marks: [] }],
});
const corpus = new URL('../../../../packages/rich-text/corpus/', import.meta.url);

describe('a document as HTML', () => {
  it.each([
    [
      'a paragraph with marks',
      'One **two** _three_ ~~four~~ `five`',
      /<p>One <strong>two<\/strong> <em>three<\/em> <s>four<\/s> <code>five<\/code><\/p>/,
    ],
    [
      'headings with an id and a link',
      '# Title\n\n## Part one\n\ntext',
      /<h2 id="part-one">Part one<a href="#part-one" class="anchor" aria-label="Link to this heading">#<\/a><\/h2>/,
    ],
    [
      'headings with the ids that other products give them',
      "# Title\n\n## What's new\n\n## A & B\n\n## A  B",
      /<h2 id="what-s-new"><span id="whats-new"><\/span>What's new.*<h2 id="a-b"><span id="a--b"><\/span>A &#x26; B.*<h2 id="a-b-1">A {2}B/,
    ],
    [
      'links to the ids of other products, within the page',
      '# Title\n\n## What\'s new\n\n[up](#Whats_New), [here](#x)<a id="x"></a>',
      /<a href="\/site\/#what-s-new">up<\/a>, <a href="\/site\/#x">here<\/a><span id="x"><\/span>/,
    ],
    [
      'headings with the id of their text besides their own',
      '# Title\n\n## New <a id="old"></a>\n\n[up](#old), [up](#new)',
      /<h2 id="old"><span id="new"><\/span>New.*<a href="\/site\/#old">up<\/a>, <a href="\/site\/#new">up<\/a>/,
    ],
    ['an anchor once', '<a id="x"></a>a <a id="x"></a>b', /<p><span id="x"><\/span>a b<\/p>/],
    ['lists in lists', '* a\n  * b', /<ul><li>a<ul><li>b<\/li><\/ul><\/li><\/ul>/],
    ['a list with another start', '3. a\n4. b', /<ol start="3"><li>a<\/li>/],
    [
      'tasks',
      '* [x] done\n* [ ] open',
      /<input type="checkbox" disabled checked aria-label="Done">.*aria-label="To do"/,
    ],
    ['a quote', '> said', /<blockquote><p>said<\/p><\/blockquote>/],
    ['a rule', 'a\n\n***\n\nb', /<hr>/],
    [
      'a hint',
      '{% hint style="danger" %}\nHot\n{% endhint %}',
      /<div role="note" aria-label="Danger" class="hint danger"><span class="icon" aria-hidden="true"><svg .*<\/svg><\/span><div><p>Hot<\/p><\/div><\/div>/,
    ],
    [
      'code',
      '```js\nlet a;\nlet b;\n```',
      /<pre tabindex="0" role="group" aria-label="Code: js"><code><span class="line">let a;\n<\/span><span class="line">let b;<\/span><\/code><\/pre>/,
    ],
    [
      'what a comparison adds and removes',
      '```diff\n--- a\n+++ b\n-x\n+y\n z\n```',
      /<span class="line">--- a\n<\/span><span class="line">\+\+\+ b\n<\/span><span class="line removed">-x\n<\/span><span class="line added">\+y\n<\/span><span class="line"> z<\/span>/,
    ],
    [
      'code with a title',
      '{% code title="a.js" lineNumbers="true" %}\n```js\nx\n```\n{% endcode %}',
      /<figure class="code"><figcaption><span class="title">a\.js<\/span><span class="language">JavaScript<\/span><\/figcaption><pre .*class="numbered"/,
    ],
    [
      'tabs',
      '{% tabs %}\n{% tab title="A" %}\na\n{% endtab %}\n{% tab title="B" %}\nb\n{% endtab %}\n{% endtabs %}',
      /<fieldset class="tabs">.*<input type="radio" name="tabs-1" id="tabs-1-1" checked><label for="tabs-1-1">A<\/label><div class="tab"><p>a<\/p><\/div>/,
    ],
    [
      'steps',
      '{% stepper %}\n{% step %}\none\n{% endstep %}\n{% endstepper %}',
      /<ol class="steps"><li><p>one<\/p><\/li><\/ol>/,
    ],
    [
      'columns',
      '{% columns %}\n{% column width="33.3%" %}\na\n{% endcolumn %}\n{% column %}\nb\n{% endcolumn %}\n{% endcolumns %}',
      /<div class="columns"><div class="column width-35"><p>a<\/p><\/div><div class="column">/,
    ],
    [
      'an expandable',
      '<details open>\n\n<summary>More</summary>\n\nHidden\n\n</details>',
      /<details open class="expandable"><summary>More<\/summary><div><p>Hidden<\/p><\/div><\/details>/,
    ],
    [
      'a table',
      '| A | B |\n| - | :-: |\n| 1 | **2** |',
      /<th scope="col">A<\/th>.*<td class="align-center"><strong>2<\/strong><\/td>/,
    ],
    ['a formula', 'so $$a^2$$ it is', /<span class="math"><math><msup><mi>a<\/mi>/],
    ['a block of a formula', '$$\n\\frac{a}{b}\n$$', /<div class="math"><math display="block"/],
    [
      'an image',
      '<figure><img src="/files/f1" alt="A &#x22;cat&#x22;"><figcaption><p>Cap</p></figcaption></figure>',
      /<figure><img src="https:\/\/files\.example\/f1" alt="A &#x22;cat&#x22;" loading="lazy" decoding="async" width="40" height="30"><figcaption><p>Cap<\/p><\/figcaption><\/figure>/,
    ],
    [
      'a file',
      '{% file src="/files/f1" %}\nCap\n{% endfile %}',
      /<a href="https:\/\/files\.example\/f1" download>f1\.png<\/a><small> 12 KB<\/small>/,
    ],
    [
      'a file on another host, as a link',
      '{% embed url="https://video.example/1" %}',
      /<figure class="card"><a href="https:\/\/video\.example\/1" rel="noopener noreferrer">/,
    ],
    [
      'a reference to a page',
      '{% content-ref url="/pages/p1" %}\n[x](/pages/p1)\n{% endcontent-ref %}',
      /<p class="card"><a href="\/site\/p1">/,
    ],
    [
      'a note',
      'word[^1]\n\n[^1]: The note.',
      /word<sup class="note-number"><a href="#note-1" id="noted-1" aria-label="Note 1">1<\/a><\/sup>.*<section class="notes" aria-label="Notes"><ol><li id="note-1"><p>The note\.<\/p><a href="#noted-1"/,
    ],
    ['an emoji', ':rocket:', /🚀/],
    [
      'a button',
      '<a href="/pages/p1" class="button secondary">Go</a>',
      /<a class="button secondary" href="\/site\/p1">Go<\/a>/,
    ],
    [
      'a link out of the site',
      '[x](https://example.com)',
      /<a href="https:\/\/example\.com" rel="noopener noreferrer">x<\/a>/,
    ],
    [
      'news with dates',
      '{% updates format="full" %}\n{% update date="2026-01-31" %}\nNew\n{% endupdate %}\n{% endupdates %}',
      /<time datetime="2026-01-31">January 31, 2026<\/time>/,
    ],
    [
      'an operation of an API',
      '{% openapi-operation spec="s" path="/a" method="get" %}\n[x](https://x.y)\n{% endopenapi-operation %}',
      /<strong class="method">GET<\/strong> <code>\/a<\/code>/,
    ],
  ])('shows %s', (_name, markdown, expected) => {
    expect(page(markdown).replaceAll('\n</span>', '\n</span>')).toMatch(new RegExp(expected.source, 's'));
  });

  it('escapes texts, attributes and names, and shows no link that could run code', () => {
    const html = blocks(
      block('paragraph', {}, { nodes: [text('<script>alert(1)</script> & "x"')] }),
      block(
        'code',
        { title: '"><img src=x onerror=alert(1)>' },
        { nodes: [block('code-line', {}, { nodes: [text('</pre><b>')] })] },
      ),
      block('image', {}),
      block('embed', { url: 'javascript:alert(1)' }),
      block('integration', { url: 'javascript:alert(1)', props: { content: '<b>' } }),
      block(
        'paragraph',
        {},
        {
          nodes: [
            {
              object: 'inline',
              type: 'link',
              isVoid: false,
              data: { ref: { kind: 'url', url: 'javascript:alert(1)' } },
              nodes: [text('go')],
            },
          ],
        },
      ),
      block('images', {}, { nodes: [block('image', { ref: { kind: 'url', url: 'javascript:alert(1)' } })] }),
      block('math', { formula: '\\text{<script>}</span><img>' }),
    );
    // In the value of an attribute, `<` begins nothing.
    expect(html.replaceAll(/="[^"]*"/g, '')).not.toMatch(/<script|<img|<b>|<[^>]* onerror/i);
    expect(html).not.toMatch(/(href|src)="javascript/i);
    expect(html).toContain('&#x3C;script>alert(1)&#x3C;/script>');
    expect(html).toContain('<span>go</span>');
  });

  it('shows the text of unknown kinds, and nothing of broken references', () => {
    const unknown = block('hologram', {}, { nodes: [block('paragraph', {}, { nodes: [text('still here')] })] });
    expect(blocks(unknown)).toContain('<p>still here</p>');
    const { document } = parseMarkdown('[gone](/pages/p1) ![x](/files/f)', { context: 'page' });
    expect(shown(document, { targetOf: () => undefined, fileOf: () => undefined })).toMatch(/<span>gone<\/span>/);
  });

  it.each(readdirSync(corpus).filter((name) => name.endsWith('.md')))('shows all of %s', (name) => {
    const { document } = parseMarkdown(readFileSync(new URL(name, corpus), 'utf8'), { context: 'page' });
    const html = shown(document);
    expect(html.length).toBeGreaterThan(0);
    expect(html).not.toMatch(/<script|javascript:|undefined|\[object/i);
  });
});
