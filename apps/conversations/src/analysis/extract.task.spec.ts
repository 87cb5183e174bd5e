import { describe, expect, it } from '@jest/globals';
import { seedTable } from '@scriptorium/clustering';
import { extractIssues } from './extract.task.js';

describe('issues of a part with HTML', () => {
  it('have no word of scripts and styles', () => {
    const body =
      '<style>.banner { color: crimson }</style><p>The export of pages fails.</p><script>trackVisitor("export")</script>';
    const parts = [{ role: 'user' as const, body }];
    const [[issue] = []] = extractIssues({ conversations: [{ parts }], table: seedTable(), language: 'en' });
    expect(issue?.title).toBe('The export of pages fails.');
    expect(JSON.stringify(issue)).not.toMatch(/crimson|trackVisitor|banner/i);
  });

  it('are found in its words where too many elements are open, which are not read', () => {
    const body = `The export of pages fails. ${'<b>'.repeat(21_000)}`;
    const parts = [{ role: 'user' as const, body }];
    const [[issue] = []] = extractIssues({ conversations: [{ parts }], table: seedTable(), language: 'en' });
    expect(issue?.title).toBe('The export of pages fails.');
  });
});
