import { describe, expect, it } from '@jest/globals';
import { parseMarkdown, toMarkdown } from '../index.js';

/** Written as it was read, which says that it is the shortest form that reads so. */
const expectSame = (text: string): void => expect(toMarkdown(parseMarkdown(text).document)).toBe(text);

describe('notes', () => {
  it.each([
    'word[^1]',
    'See **bold**[^1].',
    'a `code`[^1] b',
    '~~_**x**_~~[^1]',
    'plain**bold**[^1]',
    '**bold**plain[^1]',
    '<kbd>x</kbd>[^1]',
  ])('%s are marked behind the word', (text) => {
    expectSame(`${text}\n\n[^1]: note\n`);
  });

  it.each([
    '<span data-footnote="1">two words</span>',
    'half a<span data-footnote="1">word</span>',
    '<span data-footnote="1">a</span>(b)',
    '`a `<span data-footnote="1">`b`</span>',
  ])('%s are elements where a marker would not say what they are on', (text) => {
    expectSame(`${text}\n\n[^1]: note\n`);
  });
});
