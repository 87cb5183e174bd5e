import { describe, expect, it } from '@jest/globals';
import { formatLinkByDefault, hash, links, parseMarkdown, toMarkdown, type ParsedMarkdown } from '../index.js';
import { show, showTable } from '../test/show.js';

const page = (markdown: string): ParsedMarkdown => parseMarkdown(markdown, { context: 'page' });
/** The notation of what a text becomes, which it is also when it is written and read again. */
function read(markdown: string): string {
  const { document } = parseMarkdown(markdown);
  const written = toMarkdown(document);
  const again = parseMarkdown(written).document;
  expect(hash(again, { keys: false })).toBe(hash(document, { keys: false }));
  expect(toMarkdown(again)).toBe(written);
  return document.nodes.map(show).join('\n');
}

describe('titles, which are plain text', () => {
  it('leave icons out, and keep words and what stands for pictures', () => {
    expect(page('# The <i class="fa-star">:star:</i> page').title).toBe('The page');
    expect(page('# An <i class="fa-x">:x:</i> <i class="fa-y">and more</i> :tada:').title).toBe('An and more 🎉');
    const [table] = parseMarkdown('| <i class="fa-x">:x:</i> [Docs](https://a) | ![logo](https://x/y.png) |\n| - | - |')
      .document.nodes;
    expect(table && showTable(table).columns).toEqual([
      { title: 'Docs', type: 'text' },
      { title: 'logo', type: 'text' },
    ]);
  });

  it('of buttons too', () =>
    expect(read('<a class="button primary" href="/pages/p"><i class="fa-x">:x:</i> Go</a>')).toBe(
      'paragraph(button{"label":"Go","kind":"primary","ref":{"kind":"page","page":"p"}}())',
    ));
});

describe('forms that other tools write', () => {
  it.each([
    [
      '<i class="fa-solid fa-star"></i> <i class="fa-brands"></i>',
      'paragraph(icon{"icon":"star"}() " " icon{"icon":"brands"}())',
    ],
    ['a `code\nspan` b', 'paragraph("a ""code span"^code" b")'],
    [
      '- plain\n- [ ] task\n- [x] done\n- plain',
      'list-unordered(list-item(paragraph("plain")))\nlist-tasks(list-item{"checked":false}(paragraph("task")) list-item{"checked":true}(paragraph("done")))\nlist-unordered(list-item(paragraph("plain")))',
    ],
    [
      '3. [ ] a\n4. b\n   - c\n   - [x] d',
      'list-tasks(list-item{"checked":false}(paragraph("a")))\nlist-ordered{"start":4}(list-item(paragraph("b") list-unordered(list-item(paragraph("c"))) list-tasks(list-item{"checked":true}(paragraph("d")))))',
    ],
    [
      '<ul><li>a</li><li><input type="checkbox"> b</li></ul>',
      'list-unordered(list-item(paragraph("a")))\nlist-tasks(list-item{"checked":false}(paragraph("b")))',
    ],
    [
      '<details>\n<summary>S</summary>\nbody\n</details>',
      'expandable(#expandable-title(paragraph("S")) #expandable-body(paragraph("body")))',
    ],
    [
      '<figure><a href="https://l"><img src="https://i" alt="x"></a><figcaption>c</figcaption></figure>',
      'paragraph(link{"ref":{"kind":"url","url":"https://l"}}(inline-image{"ref":{"kind":"url","url":"https://i"},"alt":"x"}()))\nparagraph("c")',
    ],
    ['<iframe src="https://v/x"></iframe>', 'embed{"url":"https://v/x"}()'],
    [
      '<video controls><source src="https://v/x.mp4">No video.</video>',
      'embed{"url":"https://v/x.mp4"}()\nparagraph("No video.")',
    ],
    ['<video src="/files/f">No video.</video>', 'file{"ref":{"kind":"file","file":"f"}}()\nparagraph("No video.")'],
    ['<audio controls><source src="/files/f"></audio>', 'file{"ref":{"kind":"file","file":"f"}}()'],
    ['a\n\n<iframe src="javascript:x"></iframe>', 'paragraph("a")'],
    [
      '{% code title="t" %}\nlet a;\nlet b;\n\nlet c;\n{% endcode %}',
      'code{"title":"t"}(code-line("let a;") code-line("let b;") code-line("") code-line("let c;"))',
    ],
    ['{% code title="t" %}\na **b** :tada: `c`\n{% endcode %}', 'code{"title":"t"}(code-line("a **b** :tada: `c`"))'],
    [
      '{% code %}\ndef f():\n  return &lt;1\n\n    # two\n{% endcode %}',
      'code(code-line("def f():") code-line("  return &lt;1") code-line("") code-line("    # two"))',
    ],
    ['{% code %}\n\n    indented\n\n{% endcode %}', 'code(code-line("indented"))'],
    ['* {% code %}\n  a\n    b\n  {% endcode %}', 'list-unordered(list-item(code(code-line("a") code-line("  b"))))'],
    ['> {% code %}\n> a\n>   b\n> {% endcode %}', 'blockquote(code(code-line("a") code-line("  b")))'],
    ['x {% code %}a *b*{% endcode %} y', 'paragraph("x")\ncode(code-line("a *b*"))\nparagraph("y")'],
    ['{% code %}\na\n\n```\nb\n```\n{% endcode %}', 'code(code-line("b"))\nparagraph("a")'],
    [
      '{% @a/b action="{&quot;x&quot;:1}" %}',
      'integration{"integration":"a","block":"b","props":{},"action":{"x":1}}()',
    ],
    [
      '{% @a/b action="&quot;3&quot;" url="3" %}',
      'integration{"integration":"a","block":"b","props":{},"action":"3","url":"3"}()',
    ],
  ])('reads %j', (markdown, expected) => expect(read(markdown)).toBe(expected));
});

describe('quotes in the attributes of tags', () => {
  const tab = (title: string): string => `{% tabs %}\n{% tab ${title} %}\nx\n{% endtab %}\n{% endtabs %}`;
  it.each([
    [String.raw`title="Say \"hi\" now"`, 'Say "hi" now'],
    [String.raw`title="5\" disk"`, '5" disk'],
    [String.raw`title="\"all\""`, '"all"'],
    [String.raw`title="a \"b=c\" d"`, 'a "b=c" d'],
    [String.raw`title="C:\dir\"`, 'C:\\dir\\'],
    [String.raw`title="C:\dir\" icon=""`, 'C:\\dir\\'],
    [String.raw`title="a\\b\n"`, String.raw`a\\b\n`],
    [String.raw`title='Say "hi"'`, 'Say "hi"'],
    [String.raw`title="\"x %} y\""`, '"x %} y"'],
  ])('%s is read as it is meant', (attribute, title) => {
    expect(read(tab(attribute))).toBe(`tabs(tabs-item${JSON.stringify({ title })}(paragraph("x")))`);
  });

  it('stand in conditions too', () => {
    expect(read(String.raw`{% if a == "say \"hi\" now, %} \"" %}` + '\nx\n{% endif %}')).toBe(
      `if${JSON.stringify({ expression: String.raw`a == "say \"hi\" now, %} \""` })}(paragraph("x"))`,
    );
  });
});

describe('words in the attributes of tags', () => {
  it.each([
    [
      '{% stepper %}\n{% step title="First *things*" %}\nx\n{% endstep %}\n{% step title="Then" %}{% endstep %}\n{% endstepper %}',
      'stepper(stepper-step(heading-2("First *things*") paragraph("x")) stepper-step(heading-2("Then")))',
    ],
    [
      '{% hint style="info" title="Note" %}\nx\n{% endhint %}',
      'hint{"style":"info"}(heading-2("Note") paragraph("x"))',
    ],
    ['{% embed url="https://a" caption="cap words" %}', 'embed{"url":"https://a"}(#caption(paragraph("cap words")))'],
    [
      '{% file src="/files/f" title="The file" %}\nmore\n{% endfile %}',
      'file{"ref":{"kind":"file","file":"f"}}(#caption(paragraph("The file")))\nparagraph("more")',
    ],
    [
      '{% file src="/files/f" caption="cap" title="The file" %}',
      'file{"ref":{"kind":"file","file":"f"}}(#caption(paragraph("cap")))\nparagraph("The file")',
    ],
    [
      '{% content-ref url="/pages/p" title="Docs" %}\n[/pages/p](/pages/p)\n{% endcontent-ref %}',
      'content-ref{"ref":{"kind":"page","page":"p"},"title":"Docs"}()',
    ],
    [
      '{% content-ref url="/pages/p" title="Docs" %}\n[label](/pages/p)\n{% endcontent-ref %}',
      'paragraph("Docs")\ncontent-ref{"ref":{"kind":"page","page":"p"},"title":"label"}()',
    ],
    ['{% content-ref url="gone" title="Docs" %}', 'paragraph("Docs")\nparagraph("gone")'],
    [
      '{% tabs title="Ways" %}\n{% tab title="One" %}\nx\n{% endtab %}\n{% endtabs %}',
      'paragraph("Ways")\ntabs(tabs-item{"title":"One"}(paragraph("x")))',
    ],
    [
      '{% include "/reusable-content/r" title="Part" %}',
      'paragraph("Part")\nreusable-content{"ref":{"kind":"reusable-content","reusableContent":"r"}}()',
    ],
    ['{% openapi-schemas schemas="A" title="All" %}', 'paragraph("All")'],
    ['{% file src="gone.pdf" caption="The file" %}', 'paragraph("The file")'],
  ])('are read in %j', (markdown, expected) => expect(read(markdown)).toBe(expected));

  it.each([
    ['```js title="a.js" {1,3}\nx\n```', 'code{"syntax":"js","title":"a.js","info":"{1,3}"}(code-line("x"))'],
    [
      '~~~js {1} title=\'b &amp; "c"\' x\nx\n~~~',
      'code{"syntax":"js","title":"b & \\"c\\"","info":"{1} x"}(code-line("x"))',
    ],
    ['~~~js subtitle=x *y* `z` &lt;\nx\n~~~', 'code{"syntax":"js","info":"subtitle=x *y* `z` <"}(code-line("x"))'],
    [
      '{% code title="outer" %}\n```js title="own"\nx\n```\n{% endcode %}',
      'paragraph("outer")\ncode{"title":"own","syntax":"js"}(code-line("x"))',
    ],
    [
      '```js title="a" {1} title=b title="a" title=""\nx\n```',
      'paragraph("b")\ncode{"syntax":"js","title":"a","info":"{1}"}(code-line("x"))',
    ],
    [
      '{% code title="a" %}\n```js title="b" title="c"\nx\n```\n{% endcode %}',
      'paragraph("a")\ncode{"title":"b","syntax":"js"}(code-line("x"))\nparagraph("c")',
    ],
    ['<pre data-info="{2}">x\n\n y</pre>', 'code{"info":"{2}"}(code-line("x") code-line("") code-line(" y"))'],
    [
      '<pre class="language-js" data-info=\'{2} title="a"\'>x</pre>',
      'code{"syntax":"js","title":"a","info":"{2}"}(code-line("x"))',
    ],
    [
      '<pre class="language-js" data-info="{2}"><code><strong>x</strong></code></pre>',
      'code{"syntax":"js","info":"{2}"}(code-line{"highlighted":true}("x"))',
    ],
  ])('are read behind the language of code: %j', (markdown, expected) => expect(read(markdown)).toBe(expected));
});

describe('references of other spaces', () => {
  it.each([
    ['[a](/spaces/s/pages/p)', { kind: 'page', page: 'p', space: 's' }],
    ['[a](/spaces/s/pages/p#x)', { kind: 'anchor', page: 'p', anchor: 'x', space: 's' }],
    ['{% include "/spaces/s/reusable-content/r" %}', { kind: 'reusable-content', reusableContent: 'r', space: 's' }],
  ])('are written as %s', (markdown, ref) => {
    const { document } = parseMarkdown(markdown);
    expect(links(document).map((link) => link.ref)).toEqual([ref]);
    expect(toMarkdown(document)).toBe(`${markdown}\n`);
  });

  it('name the place in the page', () =>
    expect(formatLinkByDefault({ kind: 'page', page: 'p', anchor: 'x' }, 'stable')).toBe('/pages/p#x'));
});
