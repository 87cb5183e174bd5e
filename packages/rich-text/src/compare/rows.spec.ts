import { describe, expect, it } from '@jest/globals';
import { merge, toMarkdown, validate, type RichDocument } from '../index.js';
import { merged, read } from '../test/merging.js';

describe('rows that both sides added', () => {
  const rows = (...each: string[]): string => ['| n | v |', '| - | - |', ...each.map((row) => `| ${row} |`)].join('\n');
  const written = (text: string): { text: string; conflicts: string[] } => ({
    text: toMarkdown(read(text)).trim(),
    conflicts: [],
  });

  it.each([
    [
      'alike, once',
      ['a | 1', 'b | 2'],
      ['a | 1', 'x | 0', 'b | 2'],
      ['a | 1', 'x | 0', 'b | 2', 'y | 5'],
      ['a | 1', 'x | 0', 'b | 2', 'y | 5'],
    ],
    [
      'in number, where they added them',
      ['a | 1', 'b | 2'],
      ['x | 1', 'x | 2', 'x | 3', 'a | 1', 'b | 2'],
      ['a | 1', 'y | 1', 'y | 2', 'b | 2'],
      ['x | 1', 'x | 2', 'x | 3', 'a | 1', 'y | 1', 'y | 2', 'b | 2'],
    ],
    [
      'where the other moved them',
      ['a | 1', 'b | 2', 'c | 3'],
      ['c | 3', 'a | 1', 'b | 2'],
      ['a | 1', 'y | 1', 'y | 2', 'b | 2', 'c | 3'],
      ['c | 3', 'a | 1', 'y | 1', 'y | 2', 'b | 2'],
    ],
  ])('come %s', (_name, base, ours, theirs, expected) => {
    expect(merged(rows(...base), rows(...ours), rows(...theirs))).toEqual(written(rows(...expected)));
    expect(merged(rows(...base), rows(...theirs), rows(...ours))).toEqual(written(rows(...expected)));
  });

  it('keep values that look like ids of columns', () => {
    const table = (id?: string): RichDocument => {
      const columns: [string, unknown][] = [
        ['s', { id: 's', title: 'S', type: 'select', options: [{ value: 'zone', label: 'Zone' }] }],
        ...(id === undefined ? [] : ([[id, { id, title: 'New', type: 'number' }]] satisfies [string, unknown][])),
      ];
      const data = {
        view: {
          type: 'zone',
          columns: columns.map(([each]) => each),
          columnWidths: id === undefined ? {} : { [id]: 10 },
        },
        definition: Object.fromEntries(columns),
        records: { r: { orderIndex: '0', values: { s: 'zone' } } },
      };
      return validate({
        object: 'document',
        data: {},
        nodes: [{ object: 'block', type: 'table', key: 't', isVoid: true, data, fragments: [] }],
      });
    };
    const { document, conflicts } = merge(table(), table('zone'), table('area'));
    expect(conflicts).toEqual([]);
    expect(document).toEqual(table('area'));
  });

  it('come with the columns that both added', () => {
    const [base, ours] = ['| n |\n| - |\n| a |', '| n | v |\n| - | - |\n| a | 1 |\n| b | 2 |'];
    expect(merged(base, ours, `${ours}\n| c | 3 |`)).toEqual(written(`${ours}\n| c | 3 |`));
  });

  it('moved to different places are a conflict, in which ours counts', () => {
    const result = merged(
      rows('a | 1', 'b | 2', 'c | 3'),
      rows('c | 3', 'a | 1', 'b | 2'),
      rows('b | 2', 'a | 1', 'c | 3'),
    );
    expect(result).toEqual({ ...written(rows('c | 3', 'a | 1', 'b | 2')), conflicts: ['edit'] });
  });
});

describe('rows with names', () => {
  it('get the edits of the row of the same name', () => {
    const rows = (...each: string[]): string => ['| Feature | Free | Pro |', '| - | - | - |', ...each].join('\n');
    const result = merged(
      rows('| Export | no | yes |', '| Import | no | yes |', '| Search | yes | yes |'),
      rows('| Export | no | yes |', '| Import | no | beta |', '| Search | yes | yes |'),
      rows('| Export | no | yes |', '| Sync | no | yes |', '| Import | soon | yes |', '| Search | yes | yes |'),
    );
    expect(result).toEqual({
      text: toMarkdown(
        read(
          rows('| Export | no | yes |', '| Sync | no | yes |', '| Import | soon | beta |', '| Search | yes | yes |'),
        ),
      ).trim(),
      conflicts: [],
    });
  });

  it('are not matched with similar rows of other names', () => {
    const rows = (...each: string[]): string =>
      ['| Option | Type | Description |', '| - | - | - |', ...each, '| port | number | The number of the port. |'].join(
        '\n',
      );
    const [host, path] = [
      '| host | string | The name of the host the server listens on. |',
      '| path | string | The path that the server listens on. |',
    ];
    const result = merged(
      rows(host, path),
      rows(host, path.replace('string', 'URL')),
      rows('| host | string | The address that the server listens on. |'),
    );
    expect(result.conflicts).toEqual(['edit']);
    expect(result.text).toBe(
      toMarkdown(
        read(rows('| host | string | The address that the server listens on. |', path.replace('string', 'URL'))),
      ).trim(),
    );
  });

  it('have the same rules as items that begin with a name', () => {
    const [host, path] = [
      '* `host`: The name of the host the server listens on.',
      '* `path`: The path that the server listens on.',
    ];
    const result = merged(
      `${host}\n${path}`,
      `${host}\n${path} Ends in a slash.`,
      '* `host`: The address that the server listens on.',
    );
    expect(result.text).toBe(`* \`host\`: The address that the server listens on.\n${path} Ends in a slash.`);
    expect(result.conflicts).toContain('delete');
  });
});
