import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readSummary, writeSummary, type SummaryEntry } from './summary.js';

const leaf = { entries: [] };

describe('a table of contents', () => {
  it('has groups, pages in pages, links, headings without a file, and what is behind a group', () => {
    const text = [
      '# Table of contents',
      '* [Start](README.md)',
      '* [One \\[1\\]](<a b.md> "Other")',
      '    - [Two](one/two.md#part)',
      '- Without a file',
      '\t* [Three](three.md)',
      '## Group <a href="#x" id="x"></a>',
      'Some text.',
      '* [**Away** `now`](https://example.org/a_(b))',
      '***',
      '* [Last](last.md)',
      '* [](empty.md',
    ].join('\r\n');
    expect(readSummary(text)).toEqual([
      { type: 'page', title: 'Start', path: 'README.md', ...leaf },
      {
        type: 'page',
        title: 'One [1]',
        path: 'a b.md',
        entries: [{ type: 'page', title: 'Two', path: 'one/two.md#part', ...leaf }],
      },
      {
        type: 'folder',
        title: 'Without a file',
        entries: [{ type: 'page', title: 'Three', path: 'three.md', ...leaf }],
      },
      {
        type: 'group',
        title: 'Group',
        entries: [{ type: 'link', title: 'Away now', url: 'https://example.org/a_(b)' }],
      },
      { type: 'page', title: 'Last', path: 'last.md', ...leaf },
      { type: 'page', title: '', path: 'empty.md', ...leaf },
    ]);
  });

  it('has what stands outside of bulleted lists: parts, chapters before and behind them, and numbered items', () => {
    const text = [
      '# Summary',
      '',
      '[Foreword](foreword.md)',
      '',
      '# Part **one**',
      '',
      '1. [First](first.md)',
      '   1. [Inner](inner.md)',
      '2) [Second](second.md)',
      '- [Planned]()',
      '',
      '<!-- * [Hidden](hidden.md) -->',
      '[See](this.md) for more.',
      '[reference]: https://example.org/',
      '# Part two',
      '- [Third](third.md)',
      '-----------',
      '[Appendix](appendix.md)',
    ].join('\n');
    const leafOf = (title: string, path: string) => ({ type: 'page', title, path, ...leaf });
    expect(readSummary(text)).toEqual([
      leafOf('Foreword', 'foreword.md'),
      {
        type: 'group',
        title: 'Part one',
        entries: [
          { ...leafOf('First', 'first.md'), entries: [leafOf('Inner', 'inner.md')] },
          leafOf('Second', 'second.md'),
          { type: 'folder', title: 'Planned', ...leaf },
        ],
      },
      { type: 'group', title: 'Part two', entries: [leafOf('Third', 'third.md')] },
      leafOf('Appendix', 'appendix.md'),
    ]);
  });

  it('has pages that are computed, as YAML in a fence', () => {
    const source = {
      type: 'builtin:openapi' as const,
      props: { models: true },
      dependencies: { spec: { ref: { kind: 'openapi' as const, spec: 'pets' } } },
    };
    const entries: SummaryEntry[] = [
      { type: 'computed', source, entries: [{ type: 'page', title: 'In', path: 'in.md', ...leaf }] },
    ];
    expect(readSummary(writeSummary(entries))).toEqual(entries);
    expect(readSummary('* ```yaml\n  a: [\n  ```\n* ```yaml\n  type: x')).toEqual([]);
  });

  it('is read as it was written', () => {
    const title = fc.string({ minLength: 1, maxLength: 20 }).map((text) => text.replace(/\s+/g, ' ').trim() || 'x');
    const path = fc.stringMatching(/^[a-z0-9]{1,8}\.md$/);
    const pageWith = (entries: fc.Arbitrary<SummaryEntry[]>): fc.Arbitrary<SummaryEntry> =>
      fc.record({ type: fc.constant('page' as const), title, path, entries });
    const few = (entry: fc.Arbitrary<SummaryEntry>) => fc.array(entry, { maxLength: 3 });
    const entry = pageWith(few(pageWith(few(pageWith(fc.constant([]))))));
    const group = fc.record({ type: fc.constant('group' as const), title, entries: fc.array(entry, { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(fc.oneof(entry, group), { maxLength: 6 }), (entries) => {
        expect(readSummary(writeSummary(entries))).toEqual(entries);
      }),
    );
  });

  it('takes time that grows with its length, whatever it says', () => {
    const hostile = [
      '['.repeat(200_000),
      '* ['.repeat(60_000),
      `* ${'\\'.repeat(200_000)}`,
      '* ```\n'.repeat(20_000),
      '<!-- '.repeat(60_000),
      '<!-- '.repeat(60_000),
    ];
    for (const text of hostile) {
      const from = performance.now();
      readSummary(text);
      expect(performance.now() - from).toBeLessThan(5_000);
    }
  });
});
