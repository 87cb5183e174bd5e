import { describe, expect, it } from '@jest/globals';
import {
  parseMarkdown,
  RichTextError,
  toMarkdown,
  toPlainText,
  validate,
  type Block,
  type ParseOptions,
} from '../index.js';
import { show } from '../test/show.js';

const read = (markdown: string, options: ParseOptions = {}): string =>
  parseMarkdown(markdown, options).document.nodes.map(show).join('\n');

const MARKS: Array<[string, string]> = [
  ['**a** __a__ <strong>a</strong> <b>a</b>', '"a"^bold" ""a"^bold" ""a"^bold" ""a"^bold'],
  ['_a_ *a* <em>a</em> <i>a</i>', '"a"^italic" ""a"^italic" ""a"^italic" ""a"^italic'],
  ['~~a~~ ~a~ <del>a</del> <s>a</s>', '"a"^strikethrough" ""a"^strikethrough" ""a"^strikethrough" ""a"^strikethrough'],
  ['`a` <code>a</code>', '"a"^code" ""a"^code'],
  ['<kbd>a</kbd><sup>b</sup><sub>c</sub>', '"a"^keyboard"b"^superscript"c"^subscript'],
  ['**~~_`a`_~~**', '"a"^strikethrough^italic^bold^code'],
];

const BLOCKS: Array<[string, string]> = [
  ['a\nb', 'paragraph("a b")'],
  ['a\\\nb', 'paragraph("a\nb")'],
  ['List<String> <unknown>x', 'paragraph("List<String> <unknown>x")'],
  ['https://example.com/x', 'paragraph("https://example.com/x")'],
  [
    '<https://example.com/x>',
    'paragraph(link{"ref":{"kind":"url","url":"https://example.com/x"}}("https://example.com/x"))',
  ],
  [
    'docker pull <image:tag> <a@b.c>',
    'paragraph("docker pull <image:tag> " link{"ref":{"kind":"url","url":"mailto:a@b.c"}}("a@b.c"))',
  ],
  ['x <![CDATA[a < b &amp; c]]> y', 'paragraph("x a < b &amp; c y")'],
  ['<pre>\na\n\nb\n</pre>', 'code(code-line("a") code-line("") code-line("b"))'],
  ['<p align="constructor">a</p>', 'paragraph("a")'],
  ['[a](missing.md)', 'paragraph("a")'],
  ['[a](/pages/p#x "mention")', 'paragraph(mention{"ref":{"kind":"anchor","page":"p","anchor":"x"},"text":"a"}())'],
  ['<a data-mention href="/pages/p">a</a>', 'paragraph(mention{"ref":{"kind":"page","page":"p"},"text":"a"}())'],
  [':smile: \\:smile: 1:smile: :nope:', 'paragraph(emoji{"code":"1f604"}() " :smile: 1:smile: :nope:")'],
  [
    'a 😄 <span data-gb-custom-inline data-tag="emoji" data-code="1F680">🚀</span>',
    'paragraph("a " emoji{"code":"1f604"}() " " emoji{"code":"1f680"}())',
  ],
  ['a $$x_1*y*$$ costs $5', 'paragraph("a " inline-math{"formula":"x_1*y*"}() " costs $5")'],
  ['$$x$$', 'math{"formula":"x"}()'],
  ['$$\nx\n\n- y\n$$', 'math{"formula":"x\\n\\n- y"}()'],
  ['# a\n\n#### b\n\n## c <a href="#x" id="x"></a>', 'heading-1("a")\nheading-3("b")\nheading-2{"id":"x"}("c")'],
  ['<h3 align="center">a <a id="x"></a></h3>', 'heading-3{"align":"center","id":"x"}("a")'],
  ['<h2>\na\n<a href="#x" id="x"></a>\n</h2>', 'heading-2{"id":"x"}("a")'],
  ['## <a name="x"></a> a', 'heading-2{"id":"x"}("a")'],
  ['## <a name="x">a *b*</a>', 'heading-2{"id":"x"}("a ""b"^italic)'],
  ['## <a href="#x" id="x">a</a>', 'heading-2{"id":"x"}(link{"ref":{"kind":"anchor","anchor":"x"}}("a"))'],
  ['<a id="No"></a><a name="x"></a>\n\n## a\n\n## b', 'heading-2{"id":"x"}(anchor{"id":"No"}() "a")\nheading-2("b")'],
  ['<div>\n<a id="x"></a>\n<h2 id="own">a</h2>\n</div>', 'heading-2{"id":"own"}(anchor{"id":"x"}() "a")'],
  ['<a name="x"></a>\n\na\n\n## b', 'paragraph(anchor{"id":"x"}())\nparagraph("a")\nheading-2("b")'],
  ['<h2 id="own">a <a id="x"></a></h2>', 'heading-2{"id":"own"}(anchor{"id":"x"}() "a")'],
  ['<h2 id="Not One">a <a id="X"></a>b</h2>', 'heading-2("a " anchor{"id":"X"}() "b")'],
  ['* a\n  1. b', 'list-unordered(list-item(paragraph("a") list-ordered(list-item(paragraph("b")))))'],
  [
    '- [x] a\n- [ ] b',
    'list-tasks(list-item{"checked":true}(paragraph("a")) list-item{"checked":false}(paragraph("b")))',
  ],
  ['---', 'divider()'],
  ['> [!CAUTION]\n> a', 'hint{"style":"danger"}(paragraph("a"))'],
  ['> \\[!NOTE]\n> a', 'blockquote(paragraph("[!NOTE] a"))'],
  ['    {% hint %}', 'code(code-line("{% hint %}"))'],
  ['text {% hint %} more', 'paragraph("text {% hint %} more")'],
  ['{% hint %}\na {% endhint %}', 'hint{"style":"info"}(paragraph("a"))'],
  ['{% hint style="danger" icon=\'x\' %}a{% endhint %}', 'hint{"style":"danger","icon":"x"}(paragraph("a"))'],
  [
    '* a\n{% hint %}\nb\n{% endhint %}',
    'list-unordered(list-item(paragraph("a")))\nhint{"style":"info"}(paragraph("b"))',
  ],
  ['{% hint %}\nno end', 'paragraph("{% hint %}")\nparagraph("no end")'],
  ['a\n{% endhint %}\nb', 'paragraph("a")\nparagraph("{% endhint %}")\nparagraph("b")'],
  ['{% unknown x="y" %}', 'paragraph("{% unknown x="y" %}")'],
  ['{% if a == "%}" %}\nb\n{% endif %}', 'if{"expression":"a == \\"%}\\""}(paragraph("b"))'],
  ['![a](/files/f "c")', 'images(image{"ref":{"kind":"file","file":"f"},"alt":"a"}(#caption(paragraph("c"))))'],
  ['![al](gone.png "cap\nwords")', 'paragraph("al cap words")'],
  ['**a ![al](javascript:x "cap")** ![][b]\n\n[b]: gone.png "cap b"', 'paragraph("a al cap"^bold" cap b")'],
  ['a <img src="gone.png" alt="al" title="cap"> <img src="gone.png" title="alone">', 'paragraph("a al cap alone")'],
  ['x ![a](/files/f)', 'paragraph("x " inline-image{"ref":{"kind":"file","file":"f"},"alt":"a"}())'],
  ['<p align="center">a <b>b</b></p>', 'paragraph{"align":"center"}("a ""b"^bold)'],
  ['a[^1]\n\n[^1]: note', 'paragraph(annotation("a" #annotation-body(paragraph("note"))))'],
  ['a\n\n[^1]: nobody asked', 'paragraph("a")\nparagraph("nobody asked")'],
  [
    '<details><summary>t</summary>b</details>',
    'expandable(#expandable-title(paragraph("t")) #expandable-body(paragraph("b")))',
  ],
  ['<div><p>a</p>loose</div>', 'paragraph("a")\nparagraph("loose")'],
  ['{% tabs %}\n{% tab title="a" %}\nx\n{% endtab %}\n{% endtabs %}', 'tabs(tabs-item{"title":"a"}(paragraph("x")))'],
  [
    '{% @a/b n=1 s="x" j="{&quot;k&quot;:[1]}" %}',
    'integration{"integration":"a","block":"b","props":{"n":1,"s":"x","j":{"k":[1]}}}()',
  ],
  [
    '{% code title="w0" overflow="wrap" %}\n{% code title="w1" lineNumbers="true" %}\n```\nx\n```\n{% endcode %}\n{% endcode %}',
    'paragraph("w0")\ncode{"title":"w1","overflow":"wrap","lineNumbers":true}(code-line("x"))',
  ],
  ['{% code title="w" %}\n{% code %}\n```\nx\n```\n{% endcode %}\n{% endcode %}', 'code{"title":"w"}(code-line("x"))'],
  [
    '{% code title="w" %}\n{% code title="w" %}\n```\nx\n```\n{% endcode %}\n{% endcode %}',
    'code{"title":"w"}(code-line("x"))',
  ],
  [
    '{% @mermaid/diagram content="a\n\n  b" %}',
    'code{"syntax":"mermaid"}(code-line("a") code-line("") code-line("  b"))',
  ],
];

describe('parseMarkdown', () => {
  it.each(MARKS)('reads the marks of %s', (markdown, expected) =>
    expect(read(markdown)).toBe(`paragraph(${expected})`),
  );
  it.each(BLOCKS)('reads %j', (markdown, expected) => expect(read(markdown)).toBe(expected));

  it.each([
    [
      '<figure><img src="https://a.b/i.png" alt="x"><figcaption></figcaption></figure>',
      'images(image{"ref":{"kind":"url","url":"https://a.b/i.png"},"alt":"x"}())',
    ],
    [
      '<details><summary>t</summary>\nb\n</details>',
      'expandable(#expandable-title(paragraph("t")) #expandable-body(paragraph("b")))',
    ],
    ['<p align="center">a</p>', 'paragraph{"align":"center"}("a")'],
    ['<div>\n\na\n\n</div>', 'paragraph("a")'],
    ['<img src="https://a.b/i.png">', 'images(image{"ref":{"kind":"url","url":"https://a.b/i.png"}}())'],
  ])('ends %j at the line of a tag', (html, expected) => {
    expect(read(`{% if a %}\n${html}\n{% endif %}\n${html}\n  {% if b %}\n${html}\n{% endif %}`)).toBe(
      `if{"expression":"a"}(${expected})\n${expected}\nif{"expression":"b"}(${expected})`,
    );
  });

  it('ends a table at the line of a tag, in quotes too', () => {
    const { document } = parseMarkdown('> {% hint %}\n> <table><tr><td>a</td></tr></table>\n> {% endhint %}');
    expect(
      document.nodes
        .flatMap((node) => node.nodes ?? [])
        .concat(document.nodes)
        .map((node) => 'type' in node && node.type),
    ).toContain('hint');
    expect(JSON.stringify(document)).not.toContain('endhint');
  });

  it('leaves the lines of tags in HTML that has an end of its own, and where they are no tags', () => {
    expect(read('<pre><code>a\n{% endif %}\n</code></pre>')).toBe('code(code-line("a") code-line("{% endif %}"))');
    expect(read('<!-- a\n{% hint %}\nb -->\n\nc\n\n{% endhint %}')).toContain(
      'paragraph("c")\nparagraph("{% endhint %}")',
    );
    expect(read('<div>\n{% no tag\n</div>')).toBe('paragraph("{% no tag")');
  });

  it('takes the title and the front matter of a page, and starts headings at the second level', () => {
    const source =
      '---\ndescription: d\nif: a == 1\nvars:\n  x: "1"\n  "bad name": y\nextra: [1]\nlayout:\n  width: wide\n---\n# The **title**\n\n## One\n';
    const { title, frontMatter, document } = parseMarkdown(source, { context: 'page' });
    expect(title).toBe('The title');
    expect(frontMatter).toEqual({
      description: 'd',
      condition: 'a == 1',
      variables: { x: '1' },
      layout: { width: 'wide' },
      other: { extra: [1], vars: { 'bad name': 'y' } },
    });
    expect(document.nodes.map((node) => node.type)).toEqual(['heading-1']);
  });

  it('takes the title also behind what says nothing', () => {
    const { title, document } = parseMarkdown(
      '<!-- a comment -->\n<a name="top"></a>\n\n[x]: /pages/x\n\n# The title\n\n## One\n\n[a][x]\n',
      { context: 'page' },
    );
    expect(title).toBe('The title');
    expect(document.nodes.map(show)).toEqual([
      'heading-1("One")',
      'paragraph(link{"ref":{"kind":"page","page":"x"}}("a"))',
    ]);
  });

  it('keeps members of front matter that it does not know, and writes them where they were', () => {
    const source = '---\nmetaLinks:\n  canonical: https://a.b\n  next: c\nvars:\n  a: "1"\n  b:\n    c: d\n---\n\na\n';
    const { document, frontMatter } = parseMarkdown(source, { context: 'page' });
    expect(frontMatter).toEqual({
      metaLinks: { canonical: 'https://a.b' },
      variables: { a: '1' },
      other: { metaLinks: { next: 'c' }, vars: { b: { c: 'd' } } },
    });
    expect(toMarkdown(document, { context: 'page', ...(frontMatter && { frontMatter }) })).toBe(source);
  });

  it('reads a rule at the beginning of a page as a rule', () => {
    const { document, frontMatter } = parseMarkdown('---\n\nHello there\n\n---\n\nMore', { context: 'page' });
    expect(frontMatter).toBeUndefined();
    expect(document.nodes.map(show)).toEqual([
      'divider()',
      'paragraph("Hello there")',
      'divider()',
      'paragraph("More")',
    ]);
  });

  it('keeps texts of front matter as they are written', () => {
    const source =
      '---\nvars:\n  version: 1.10\n  build: 007\n  beta: true\n  none: ~\ntags: [1.0, 2.10]\ndescription: 3.0\nif: true\ncoverY: 1.50\nrelease: 2.0\n---\n';
    const { frontMatter } = parseMarkdown(source, { context: 'page' });
    expect(frontMatter).toEqual({
      variables: { version: '1.10', build: '007', beta: 'true' },
      tags: ['1.0', '2.10'],
      description: '3.0',
      condition: 'true',
      coverY: 1.5,
      other: { vars: { none: null }, release: 2 },
    });
  });

  it('drops unsafe URLs of front matter', () => {
    const source =
      '---\ncover: javascript:alert(1)\ncoverDark: [" java\\tscript:x", a.png]\ndescription: "data: all of it"\nmetaLinks:\n  canonical: javascript:x\n  alternates: [data:x, https://a.b]\n---\n';
    expect(parseMarkdown(source, { context: 'page' }).frontMatter).toEqual({
      description: 'data: all of it',
      metaLinks: { alternates: ['https://a.b'] },
      other: { coverDark: ['a.png'] },
    });
  });

  it('keeps lists in front matter that are not all strings', () => {
    const source = '---\ntags:\n  - a\n  - b: c\n---\n';
    expect(parseMarkdown(source, { context: 'page' }).frontMatter).toEqual({ other: { tags: ['a', { b: 'c' }] } });
  });

  it('keeps front matter that is no map, or that YAML does not allow, in sight', () => {
    expect(read('---\na: "b" c\n---\n', { context: 'page' })).toBe('code{"syntax":"yaml"}(code-line("a: "b" c"))');
    expect(read('---\n- a: [\n---\n\na', { context: 'page' })).toBe(
      'code{"syntax":"yaml"}(code-line("- a: ["))\nparagraph("a")',
    );
  });

  it('parts a list around what may not stand inside of it', () => {
    expect(read('* a\n\n  {% tabs %}\n  {% tab title="t" %}\n  x\n  {% endtab %}\n  {% endtabs %}\n* b')).toBe(
      'list-unordered(list-item(paragraph("a")))\ntabs(tabs-item{"title":"t"}(paragraph("x")))\nlist-unordered(list-item(paragraph("b")))',
    );
  });

  it('asks the resolver what a URL means', () => {
    const asked: string[] = [];
    const resolveLink: ParseOptions['resolveLink'] = (url, use) => {
      asked.push(`${use} ${url}`);
      return { kind: 'page', page: 'p' };
    };
    read(
      '[a](a.md) ![b](b.png) {% embed url="https://c.d" %}\n\n{% content-ref url="e.md" %}\n[e](e.md)\n{% endcontent-ref %}\n\n{% include "../f.md" %}',
      { resolveLink },
    );
    expect(asked).toEqual(['link a.md', 'image b.png', 'page e.md', 'include ../f.md']);
  });

  it('reads and writes integration blocks as code when they ask for it', () => {
    const integrations = [{ integration: 'acme', block: 'plot', codeblock: 'plot', body: 'source' }];
    const markdown = '```plot size="3"\nx -> y\n```\n';
    const { document } = parseMarkdown(markdown, { integrations });
    expect(document.nodes[0]?.data).toEqual({
      integration: 'acme',
      block: 'plot',
      props: { size: 3, source: 'x -> y' },
    });
    expect(toMarkdown(document, { integrations })).toBe(markdown);
  });

  it('writes and reads any property of an integration block', () => {
    const props = { 'é b': 'x "q" & <b> {% | `t` \\ \n z', list: [1, '"'], number: 3, text: '3', source: '```\nx' };
    const document = validate({
      object: 'document',
      nodes: [
        { object: 'block', type: 'integration', isVoid: true, data: { integration: 'acme', block: 'plot', props } },
      ],
    });
    for (const integrations of [[], [{ integration: 'acme', block: 'plot', codeblock: 'plot', body: 'source' }]]) {
      expect(
        parseMarkdown(toMarkdown(document, { integrations }), { integrations }).document.nodes[0]?.data['props'],
      ).toEqual(props);
    }
  });

  it.each([
    [
      '[**a** <b>x</b> <img src="/files/f" alt="icon">](mention://user/u)',
      'paragraph(mention{"ref":{"kind":"user","user":"u"},"text":"a x icon"}())',
    ],
    [
      '<a class="button" href="/pages/p">Go<br><img src="/files/f" alt="on"></a>',
      'paragraph(button{"label":"Go on","kind":"primary","ref":{"kind":"page","page":"p"}}())',
    ],
    [
      '<figure><img src="/files/f"><figcaption>b</figcaption>a</figure>',
      'images(image{"ref":{"kind":"file","file":"f"}}()) paragraph("b") paragraph("a")',
    ],
    [
      '<figure><img src="/files/f"><img src="/files/g"><figcaption>b</figcaption></figure>',
      'images(image{"ref":{"kind":"file","file":"f"}}() image{"ref":{"kind":"file","file":"g"}}()) paragraph("b")',
    ],
    [
      '{% include "/reusable-content/r" %}child{% endinclude %}',
      'reusable-content{"ref":{"kind":"reusable-content","reusableContent":"r"}}() paragraph("child")',
    ],
    ['{% include "gone.md" %}child{% endinclude %}', 'paragraph("gone.md") paragraph("child")'],
    [
      '{% swagger src="/files/f" path="/p" method="get" %}child{% endswagger %}',
      'swagger{"ref":{"kind":"file","file":"f"},"path":"/p","method":"get"}() paragraph("child")',
    ],
    [
      '{% openapi src="/files/f" path="/p" method="get" %}\n[f](/files/f)\n\nchild\n{% endopenapi %}',
      'swagger{"ref":{"kind":"file","file":"f"},"path":"/p","method":"get"}() paragraph("child")',
    ],
    [
      '{% openapi-webhook spec="s" name="n" method="post" %}\n[OpenAPI s](/openapi/s)\n\n* child\n{% endopenapi-webhook %}',
      'openapi-webhook{"ref":{"kind":"openapi","spec":"s"},"name":"n","method":"post"}() list-unordered(list-item(paragraph("child")))',
    ],
    [
      '{% openapi-schemas spec="s" schemas="A" %}\n[OpenAPI t](/openapi/t)\n{% endopenapi-schemas %}',
      'openapi-schemas{"ref":{"kind":"openapi","spec":"s"},"schemas":["A"]}() paragraph(link{"ref":{"kind":"openapi","spec":"t"}}("OpenAPI t"))',
    ],
  ])('keeps all that %s says', (markdown, expected) => expect(read(markdown).replaceAll('\n', ' ')).toBe(expected));

  it('keeps a language of several words', () => {
    const { document } = parseMarkdown('```a&#32;b\nx\n```');
    expect(document.nodes[0]?.data).toEqual({ syntax: 'a b' });
    expect(toMarkdown(document)).toBe('```a&#x20;b\nx\n```\n');
    expect(read('```a&#x20;b\nx\n```')).toBe('code{"syntax":"a b"}(code-line("x"))');
  });

  it('keeps empty lines of code highlighted', () => {
    const source = '<pre><code><strong>a</strong>\n<strong></strong>\n\n<strong>b</strong>\n</code></pre>\n';
    expect(read(source)).toBe(
      'code(code-line{"highlighted":true}("a") code-line{"highlighted":true}("") code-line("") code-line{"highlighted":true}("b"))',
    );
    expect(toMarkdown(parseMarkdown(source).document)).toBe(source);
  });

  it.each([
    ['a<strong></strong>\n<strong></strong>b', 'code-line("a") code-line("b")'],
    [
      '<strong></strong><strong></strong>\n<strong><code class="expression">x</code></strong>',
      'code-line{"highlighted":true}("") code-line{"highlighted":true}(expression{"expression":"x"}())',
    ],
  ])('highlights of %j only what is marked', (code, lines) =>
    expect(read(`<pre><code>${code}\n</code></pre>`)).toBe(`code(${lines})`),
  );

  it('reads a table of typed columns', () => {
    const { document } = parseMarkdown(
      '<table data-view="cards"><thead><tr><th>T</th><th data-type="number">N</th><th data-type="checkbox">C</th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>a<br>b</td><td>4</td><td>true</td><td><a href="/pages/p">label</a></td></tr><tr><td>x</td><td>many</td></tr></tbody></table>',
    );
    const data = (document.nodes[0] as Block).data as {
      view: { type: string; columns: string[] };
      records: Record<string, { values: Record<string, unknown> }>;
    };
    expect(data.view).toMatchObject({
      type: 'cards',
      cardSize: 'medium',
      columns: [expect.any(String), expect.any(String), expect.any(String)],
      targetDefinition: expect.any(String),
    });
    const rows = Object.values(data.records).map((record) => Object.values(record.values).slice(1));
    expect(rows).toEqual([[4, true, { kind: 'page', page: 'p', title: 'label' }], ['many']]);
    expect(toPlainText(document)).toContain('many');
  });

  it('refuses texts beyond the limits with a reason', () => {
    expect(() => parseMarkdown('x'.repeat(100), { limits: { maxBytes: 50 } })).toThrow(RichTextError);
    expect(() => parseMarkdown('a\n\n'.repeat(100), { limits: { maxNodes: 50 } })).toThrow(
      expect.objectContaining({ reason: 'too_many_nodes' }),
    );
  });

  it('counts what it fills in, so that what it makes is within the same limits', () => {
    const text =
      '<table><tr><td></td><td><table><tr><td></td></tr></table></td></tr></table>\n\n{% hint %}{% endhint %}\n\n- \n\n{% tab %}\n{% endtab %}';
    const most = 40;
    const refused = (maxNodes: number): boolean => {
      try {
        validate(parseMarkdown(text).document, { limits: { maxNodes } });
        return false;
      } catch {
        return true;
      }
    };
    const least = Array.from({ length: most }, (_, maxNodes) => maxNodes).find((maxNodes) => !refused(maxNodes));
    expect(() => parseMarkdown(text, { limits: { maxNodes: (least ?? most) - 1 } })).toThrow(
      expect.objectContaining({ reason: 'too_many_nodes' }),
    );
  });
});
