import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_LIMITS } from '../model/limits.js';
import { MAX_NAME } from '../syntax/tag-value-end.js';
import { runs, SEED } from '../test/arbitraries.js';
import { markdownTree } from './markdown-tree.js';
import { readAttributes } from './tags.js';

const PIECES = [
  'a',
  ' ',
  '"',
  '\\"',
  '\\',
  ' b="',
  ' x=y',
  '%',
  '%}',
  ' %}',
  '%c="',
  `\\" ${'n'.repeat(MAX_NAME)}="`,
  `\\" ${'n'.repeat(MAX_NAME + 1)}="`,
];
const sources = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 12 })
  .map((pieces) => `{% tab title="${pieces.join('')}" %}`);

/** The tag that the text begins with, as the tokenizer sees it. */
function tokenized(text: string): string | undefined {
  const [first] = markdownTree(text, false, DEFAULT_LIMITS).children ?? [];
  return first?.type === 'tag' ? first.value : undefined;
}

/**
 * The same as the reader of attributes sees it: up to the first end at which no value is open, so that an attribute
 * could follow.
 */
function read(text: string): string | undefined {
  for (let end = text.indexOf('%}'); end >= 0; end = text.indexOf('%}', end + 1)) {
    if ('following' in readAttributes(`${text.slice('{% tab'.length, end).trim()} following=""`))
      return text.slice(0, end + 2);
  }
  return undefined;
}

describe(`the end of a quoted value (seed ${SEED})`, () => {
  it('is the same to the tokenizer and to the reader of attributes', () => {
    fc.assert(
      fc.property(sources, (text) => expect(tokenized(text)).toBe(read(text))),
      { numRuns: runs(1000) },
    );
  });

  it.each([MAX_NAME, MAX_NAME + 1])('may be told by a name of %d characters, or not, to both', (length) => {
    const text = `{% tab title="a\\" ${'n'.repeat(length)}="%}" %}`;
    expect(tokenized(text)).toBe(read(text));
  });
});
