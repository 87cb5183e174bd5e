import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { links, pseudoTranslated, segmentsOf, withSegments, type RichDocument } from '../index.js';
import { walk } from '../model/walk.js';
import { corpora } from '../test/corpora.js';
import { documents, runs, SEED } from '../test/arbitraries.js';
import { parseMarkdown } from '../parse/parse.js';
import { checkSegment } from './check-segment.js';

const translated = (document: RichDocument): RichDocument =>
  withSegments(document, new Map(segmentsOf(document).map(({ id, text }) => [id, pseudoTranslated(text)])));

/** What no translation may change: keys, types, references, expressions, formulas, code. */
function fixed(document: RichDocument): string {
  const out: unknown[] = [links(document)];
  walk(document, (node) => {
    if (node.object === 'text') {
      for (const { text, marks } of node.leaves)
        if (marks.some(({ type }) => type === 'code' || type === 'keyboard')) out.push(text);
      return;
    }
    if (node.object === 'fragment') return void out.push(node.fragment);
    if (node.object === 'document') return;
    const { formula, expression, url, id, slug, props, syntax } = node.data;
    out.push([node.type, node.key, formula, expression, url, id, slug, props, syntax].map((one) => one ?? null));
    if (node.type === 'code') out.push(node.nodes);
    return node.type !== 'code';
  });
  // The title of a table or of code is translated; what has no place of its own in this list is prose.
  return JSON.stringify(
    out
      .slice(1)
      .map((one) => JSON.stringify(one))
      .sort(),
  );
}

describe('a pseudo-translation', () => {
  it('is longer, between brackets, and reads alike', () => {
    expect(pseudoTranslated('Settings')).toBe('[Šéţţîñĝš ···]');
    expect(pseudoTranslated('a <g id="1">b</g> &amp; <x id="2"/>')).toBe('[å <g id="1">ƀ</g> &amp; <x id="2"/> ·]');
  });

  it('changes every letter, of any script', () => {
    const letters = 'abc XYZ éñß日本語 Ελλάδα Привет';
    const words = pseudoTranslated(letters).slice(1).normalize('NFC');
    const graphemes = (text: string): string[] => [...text.matchAll(/\p{L}\p{M}*/gu)].map(([letter]) => letter);
    const [from, to] = [graphemes(letters.normalize('NFC')), graphemes(words)];
    expect(to.length).toBe(from.length);
    from.forEach((letter, i) => expect(to[i]).not.toBe(letter));
  });

  it(`passes the checks, and changes no code, link, formula, id or key (SEED=${SEED})`, () => {
    fc.assert(
      fc.property(documents, (document) => {
        for (const { text } of segmentsOf(document))
          expect(checkSegment(text, pseudoTranslated(text), { from: 'en', to: 'en', isLanguage: false })).toEqual([]);
        const other = translated(document);
        expect(fixed(other)).toBe(fixed(document));
        expect(segmentsOf(other).every(({ text }) => !/[A-Za-z]/.test(text.replace(/<[^>]*>|&\w+;/g, '')))).toBe(true);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('does so in every document of this repository', () => {
    for (const { text } of corpora()) {
      const { document } = parseMarkdown(text, { context: 'page' });
      expect(fixed(translated(document))).toBe(fixed(document));
    }
  });
});
