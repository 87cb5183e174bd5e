import { describe, expect, it } from '@jest/globals';
import { addressesIn } from './looked-up.js';

describe('the addresses in a text', () => {
  it('are those of links, definitions and attributes that can lead to something in the same space', () => {
    const markdown = '[a](./a.md) [b][b] <img src="/files/f">\n\n[b]: ./b.md\n\n[out](https://example.org)';
    expect([...addressesIn({ markdown })].sort()).toEqual(['./a.md', './b.md', '/files/f']);
    const json = JSON.stringify({ nodes: [{ url: './c.md' }, { url: './d "quoted".md' }] });
    expect([...addressesIn({ json })].sort()).toEqual(['./c.md', './d "quoted".md']);
  });

  it('are a bounded number, whatever somebody writes', () => {
    const markdown = Array.from({ length: 50_000 }, (_, n) => `](a${n}`).join('');
    expect(addressesIn({ markdown }).size).toBeLessThanOrEqual(1_000);
  });
});
