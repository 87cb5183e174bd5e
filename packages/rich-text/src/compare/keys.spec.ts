import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hash, merge, parseMarkdown, type RichDocument } from '../index.js';
import { type Json } from '../model/types.js';
import { walk } from '../model/walk.js';
import { documents, runs, SEED } from '../test/arbitraries.js';
import { reordered } from '../test/edits.js';

/**
 * What one page holds: paragraphs by number, each with a note; of some the text is there, of some the note, in any
 * order.
 */
type Page = { texts: readonly number[]; notes: readonly number[]; inside: number };
const numbers = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 1 });
const pages: fc.Arbitrary<Page> = fc.record({ texts: numbers, notes: numbers, inside: fc.nat(7) });

function textOf({ texts, notes, inside }: Page): string {
  const words = (n: number): string =>
    n === inside ? `{% hint style="info" %}\nWords ${n} in here[^${n}]\n{% endhint %}` : `Words ${n} in here[^${n}]`;
  return [...texts.map(words), ...notes.map((n) => `[^${n}]: Note ${n} on it.\n\n    More ${n % 2} of it.`)].join(
    '\n\n',
  );
}

const read = (page: Page, previous?: RichDocument): RichDocument =>
  parseMarkdown(textOf(page), previous ? { previous } : {}).document;

function keysIn(document: RichDocument): string[] {
  const keys: string[] = [];
  walk(document, (node) => {
    if ('key' in node && node.key !== undefined && node.object !== 'fragment') keys.push(node.key);
  });
  return keys;
}

describe(`keys of texts with notes (seed ${SEED})`, () => {
  it('are unique, after matching with another document and after a merge', () => {
    fc.assert(
      fc.property(pages, pages, pages, (base, mine, other) => {
        const root = read(base);
        const [ours, theirs] = [read(mine, root), read(other, root)];
        for (const document of [ours, theirs, merge(root, ours, theirs).document]) {
          const keys = keysIn(document);
          expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

/** The members the other way round, but for the columns of tables, whose order counts. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const out = Object.entries(value).map(([name, member]): [string, Json | undefined] => [
    name,
    name === 'definition' || member === undefined ? member : turned(member),
  ]);
  return Object.fromEntries(out.reverse());
}

describe(`the hash of a document (seed ${SEED})`, () => {
  it('does not depend on the order of properties, with keys or without', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(hash(reordered(document))).toBe(hash(document));
        const other = turned(document) as RichDocument;
        expect(hash(other, { keys: false })).toBe(hash(document, { keys: false }));
      }),
      { numRuns: runs(100) },
    );
  });
});
