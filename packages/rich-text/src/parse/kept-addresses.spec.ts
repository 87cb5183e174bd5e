import { describe, expect, it } from '@jest/globals';
import { toMarkdown } from '../write/write.js';
import { parseMarkdown } from './parse.js';

/** The text as it is read where nothing but absolute addresses leads anywhere. */
const read = (text: string, keepAddresses: boolean): string =>
  toMarkdown(parseMarkdown(text, { keepAddresses }).document).trim();

describe('an address that leads nowhere', () => {
  it('stays in brackets behind its words if that is wanted', () => {
    const text =
      'See [it](gone.md), ![a dot](gone.png), ![](bare.png), <a href="x.md">this</a> and [same.md](same.md).';
    expect(read(text, true)).toBe('See it (gone.md), a dot (gone.png), bare.png, this (x.md) and same.md.');
    expect(read(text, false)).toBe('See it, a dot, , this and same.md.');
  });

  it('stays away if it is not safe, or leads somewhere', () => {
    const text = '[a](<javascript:alert(1)>) [b](https://example.org/) [c](broken-reference)';
    expect(read(text, true)).toBe('a [b](https://example.org/) c');
  });
});
