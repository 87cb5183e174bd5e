import { describe, expect, it } from '@jest/globals';
import { hash, parseMarkdown, toMarkdown, validate, type Dialect } from '../index.js';
import { show } from '../test/show.js';

/** The notation of what a text becomes, which it is also when it is written and read again. */
function read(markdown: string, dialect?: Dialect): string[] {
  const { document } = parseMarkdown(markdown, dialect && { dialect });
  const again = parseMarkdown(toMarkdown(document)).document;
  expect(hash(again, { keys: false })).toBe(hash(document, { keys: false }));
  expect(hash(validate(document))).toBe(hash(document));
  return document.nodes.map((node) => show(node).replaceAll('"', ''));
}

const details = '<details>\n\n<summary>More</summary>\n\nInside\n\n</details>'.split('\n');
const inItem = details.join('\n   ');
const more = 'expandable(#expandable-title(paragraph(More)) #expandable-body(paragraph(Inside)))';
const item = (words: string): string => `list-item(paragraph(${words}))`;

describe('a list with what its items cannot hold', () => {
  it('is parted by it, and numbered on', () => {
    expect(read(`1. One\n\n   ${inItem}\n\n   then on\n2. Two\n3. Three\n\nEnd`)).toEqual([
      `list-ordered(${item('One')})`,
      more,
      'paragraph(then on)',
      `list-ordered{start:2}(${item('Two')} ${item('Three')})`,
      'paragraph(End)',
    ]);
  });

  it('keeps tabs of MkDocs and Docusaurus at their step', () => {
    const tabs = 'tabs(tabs-item{title:x64}(code(code-line(run))))';
    const expected = [
      `list-ordered(${item('First, run:')})`,
      tabs,
      'paragraph(then go on)',
      `list-ordered{start:2}(${item('Second')})`,
    ];
    const mkdocs =
      '1. First, run:\n\n    === "x64"\n\n        ```\n        run\n        ```\n\n    then go on\n\n2. Second';
    expect(read(mkdocs, 'other')).toEqual(expected);
    const mdx =
      '1. First, run:\n\n   <Tabs>\n   <TabItem value="a" label="x64">\n\n   ```\n   run\n   ```\n\n   </TabItem>\n   </Tabs>\n\n   then go on\n\n2. Second';
    expect(read(mdx, 'mdx')).toEqual(expected);
  });

  it('goes on behind several of them, also within lists', () => {
    expect(read(`* a\n  * b\n\n    ${details.join('\n    ')}\n\n  * c\n\n  ${details.join('\n  ')}\n* d`)).toEqual([
      `list-unordered(list-item(paragraph(a) list-unordered(${item('b')})))`,
      more,
      `list-unordered(${item('c')})`,
      more,
      `list-unordered(${item('d')})`,
    ]);
  });

  it('keeps its number without the item that is nothing else, and what begins an item stands before it', () => {
    expect(read(`1. One\n2. ${inItem}\n3. Three\n4. ${inItem}\n\n   Four`)).toEqual([
      `list-ordered(${item('One')})`,
      more,
      `list-ordered{start:3}(${item('Three')})`,
      more,
      `list-ordered{start:4}(${item('Four')})`,
    ]);
  });

  it('is parted in tabs, and whole where they cannot stand either', () => {
    const list = `1. One\n\n   ${inItem}\n2. Two`;
    expect(read(`{% tabs %}\n{% tab title="T" %}\n${list}\n{% endtab %}\n{% endtabs %}`)).toEqual([
      `tabs(tabs-item{title:T}(list-ordered(${item('One')}) ${more} list-ordered{start:2}(${item('Two')})))`,
    ]);
    const inHint = `{% hint style="info" %}\n${list}\n{% endhint %}`;
    expect([parseMarkdown(list).moved, parseMarkdown(inHint).moved]).toEqual([undefined, ['expandable']]);
    expect(read(inHint)).toEqual([`hint{style:info}(list-ordered(${item('One')} ${item('Two')}))`, more]);
  });
});
