import { describe, expect, it } from '@jest/globals';
import { parseMarkdown, toMarkdown, toPlainText } from '../index.js';

/** A text that says literally what would be markup, as HTML. */
const literal = (text: string): string => `<p>${text}</p>`;

describe('text that would be markup', () => {
  it.each([
    // An emoji begins also where what stands before it is escaped or written as a reference.
    ['`:tada:', '\\`\\:tada:\n'],
    ['*:tada:', '\\*\\:tada:\n'],
    ['at 10:30:45 a:tada:', 'at 10:30:45 a:tada:\n'],
    ['<b>x!</b>a:tada:', '<strong>x!</strong>a:tada:\n'],
    // Spaces that emphasis does not keep join the text before it, and with it are one text to escape.
    ['\\<b> ', '\\\\&#x20;\n'],
    ['a<br> b <b>c<br> d</b>', 'a<br> b **c<br> d**\n'],
  ])('%s is written so that it stays text', (text, markdown) => {
    const { document } = parseMarkdown(literal(text));
    expect(toMarkdown(document)).toBe(markdown);
    const again = parseMarkdown(markdown).document;
    expect(toPlainText(again)).toBe(toPlainText(document));
    expect(toMarkdown(again)).toBe(markdown);
  });
});
