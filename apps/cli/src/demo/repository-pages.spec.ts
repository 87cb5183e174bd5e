import { describe, expect, it } from '@jest/globals';
import { rewriteLinks } from './repository-pages.js';

const find = (path: string): string | undefined =>
  ({ 'docs/a.md': '/pages/1', 'README.md': '/spaces/s/pages/2' })[path];
const rewritten = (markdown: string): string => rewriteLinks({ path: 'docs/adr/x.md', markdown }, find);

describe('links of the pages of the demo', () => {
  it('lead to the pages that were made of files', () => {
    expect(rewritten('See [a](../a.md#part) and [`the` README](../../README.md).')).toBe(
      'See [a](/pages/1#part) and [`the` README](/spaces/s/pages/2).',
    );
  });

  it('become text where there is no page', () => {
    expect(rewritten('In [main.ts](../../src/main.ts).')).toBe('In main.ts.');
  });

  it('stay in code, within a page and to the web', () => {
    const kept = 'A `[a](../a.md)`, [b](#b), [c](https://example.org/a.md), ![d](d.png)\n\n```\n[a](../a.md)\n```';
    expect(rewritten(kept)).toBe(kept);
  });
});
