import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { snippetOf } from './found-sections.js';

describe('the text around a word', () => {
  it('is the whole text where that is short', () => {
    expect(snippetOf('One.\nTwo.', 5)).toBe('One. Two.');
  });

  it('is cut between words', () => {
    const text = Array.from({ length: 100 }, (_, n) => `word${n}`).join(' ');
    const snippet = snippetOf(text, text.indexOf('word50'));
    expect(snippet).toMatch(/^…word\d+ .*word50 .* word\d+…$/);
  });

  it('is well-formed, on one line, and has at most 250 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 800 }), fc.nat({ max: 800 }), (text, place) => {
        const snippet = snippetOf(text.toWellFormed(), Math.min(place, text.length));
        expect(snippet.length).toBeLessThanOrEqual(250);
        expect(snippet).not.toMatch(/[\n\r\t]/);
        expect(snippet.isWellFormed()).toBe(true);
      }),
    );
  });
});
