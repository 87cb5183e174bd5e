import { describe, expect, it } from '@jest/globals';
import { forClients, fromClients, toMarkdown, validate, type Block, type RichDocument } from '../index.js';
import { read } from '../test/merging.js';

const text = `Said[^1] so.

<details>

<summary>More</summary>

Hidden

</details>

| Name | Value |
| ---- | ----: |
| a    | 1     |

![A picture](https://example.org/a.png)

[^1]: A note.
`;

function blocksOf(document: RichDocument, type: string): Block[] {
  const within = (blocks: readonly unknown[]): Block[] =>
    (blocks as Block[]).flatMap((block) => [block, ...within(block.nodes ?? [])]);
  return within(document.nodes).filter((block) => block.type === type);
}

describe('a document for clients', () => {
  const document = read(text);
  const shown = forClients(document);

  it('has the names of fragments as their types, too, but for cells, whose names are ids', () => {
    const [expandable] = blocksOf(shown, 'expandable');
    expect(expandable?.fragments?.map(({ fragment, type }) => [fragment, type])).toEqual([
      ['expandable-title', 'expandable-title'],
      ['expandable-body', 'expandable-body'],
    ]);
    const [note] = blocksOf(shown, 'annotation');
    expect(note?.fragments?.[0]).toMatchObject({ fragment: 'annotation-body', type: 'annotation-body' });
    const [table] = blocksOf(shown, 'table');
    expect(table?.fragments?.map((cell) => 'type' in cell)).toEqual([false, false]);
  });

  it('says how each column of texts is aligned, and lists the fragments of a picture without a caption', () => {
    const [table] = blocksOf(shown, 'table');
    const columns = Object.values(table?.data['definition'] as Record<string, { textAlignment?: string }>);
    expect(columns.map(({ textAlignment }) => textAlignment)).toEqual(['left', 'right']);
    expect(blocksOf(shown, 'image').map(({ fragments }) => fragments)).toEqual([[]]);
  });

  it('leaves the document as it is, which is read again from what is shown', () => {
    expect(document).toEqual(read(text));
    expect(fromClients(validate(JSON.parse(JSON.stringify(shown))))).toEqual(document);
  });

  it('has texts on the left whether they were told so or not', () => {
    const told = read('| a |\n| :- |\n| b |\n');
    const again = fromClients(forClients(told));
    expect(forClients(again)).toEqual(forClients(told));
    expect(toMarkdown(again)).toBe('| a |\n| - |\n| b |\n');
  });
});
