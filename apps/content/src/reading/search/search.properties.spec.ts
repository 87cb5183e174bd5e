import { describe, expect, it } from '@jest/globals';
import type { StoreScope } from '@scriptorium/event-sourcing';
import type { WorkerPool } from '@scriptorium/platform';
import { toPlainText, type RichDocument } from '@scriptorium/rich-text';
import fc from 'fast-check';
import { DocumentAnalyses, folded, wordsOf } from '../analysis/index.js';
import { contentTree, type ContentObjects } from '../../versions/object-store/index.js';
import { idIn, keys, type PageRecord } from '../../versions/pages/index.js';
import { applyEdits, edits, EMPTY_ROOT } from '../../test/edits.js';
import { memoryObjects } from '../../test/memory-objects.js';
import { findPages, searchSteps, type SearchStep } from './matching/find-pages.js';
import { hitOf } from './hits/hits.js';
import { pagesFor } from './space-indexes/audience.js';
import { matcherOf } from './matching/matching.js';
import { wantedWords } from './matching/query.js';
import { SearchIndexes } from './space-indexes/search-indexes.process.js';
import { stemOf } from './space-indexes/stemmers.js';

const runs = Number(process.env['FUZZ_RUNS'] ?? '') || 60;
const seed = Number(process.env['SEED'] ?? '') || 1;

interface ReadPage {
  id: string;
  path: string;
  /** Every word with what it counts. */
  words: [word: string, weight: number][];
}

/** All pages of a tree, read from the first to the last. */
async function readAll(objects: ContentObjects, root: string): Promise<ReadPage[]> {
  const tree = contentTree(objects, 'pool', root);
  const records = new Map((await tree.range(keys.pages)).map(([key, record]) => [idIn(key), record as PageRecord]));
  const pathOf = (record: PageRecord | undefined): string[] =>
    record === undefined ? [] : [...pathOf(records.get(record.parent ?? '')), ...(record.slug ?? '').split(' ')];
  const pages: ReadPage[] = [];
  for (const [id, record] of records) {
    if (record.type === 'link') continue;
    const text = record.document === undefined ? '' : toPlainText((await tree.object(record.document)) as RichDocument);
    const weighed = (part: string, weight: number) =>
      [...wordsOf(part)].map((word) => [word.text, weight] as [string, number]);
    const words = [...weighed(record.title, 3), ...weighed(record.description ?? '', 1), ...weighed(text, 1)];
    pages.push({ id, path: pathOf(record).join('/'), words });
  }
  return pages;
}

function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  if (a[0] === b[0]) return distance(a.slice(1), b.slice(1));
  if (Math.abs(a.length - b.length) > 1) return 2;
  return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1) ? 1 : 2;
}

/** What a search finds by reading every word of every page. */
function naive(
  pages: readonly ReadPage[],
  query: string,
  step: SearchStep,
  language: string | null,
): Map<string, number> {
  const stem = stemOf(language);
  const wanted = wantedWords(query);
  const worth = (word: string, { text, isBeginning }: (typeof wanted)[number]): number => {
    if (stem(word) === stem(text) || folded(word) === folded(text)) return 1;
    if (isBeginning && folded(word).startsWith(folded(text))) return 0.6;
    return step !== 'all' && text.length >= 5 && distance(folded(word), folded(text)) === 1 ? 0.5 : 0;
  };
  const read = pages.map(({ id, words }) => ({
    id,
    length: words.reduce((sum, [, weight]) => sum + weight, 0),
    weights: wanted.map((one) => words.reduce((sum, [word, weight]) => sum + weight * worth(word, one), 0)),
  }));
  const average = Math.max(1, read.reduce((sum, { length }) => sum + length, 0) / Math.max(1, read.length));
  const rarity = wanted.map((_, index) => {
    const having = read.filter(({ weights }) => (weights[index] ?? 0) > 0).length;
    return Math.log(1 + (read.length - having + 0.5) / (having + 0.5));
  });
  const isFound = ({ weights }: { weights: number[] }) =>
    weights.length > 0 && (step === 'any' ? weights.some((one) => one > 0) : weights.every((one) => one > 0));
  return new Map(
    read.filter(isFound).map(({ id, length, weights }) => {
      const held = 1.2 * (0.25 + (0.75 * length) / average);
      const scores = weights.map((weight, index) => ((rarity[index] ?? 0) * weight * 2.2) / (weight + held));
      return [id, scores.reduce((sum, one) => sum + one, 0)];
    }),
  );
}

/** Short texts need no worker. */
const scope = { workers: {} as WorkerPool, store: {} as StoreScope };

const queryWords = [
  'alpha',
  'alp',
  'beta',
  'bata',
  'gamma',
  'gammas',
  'says',
  'now',
  'three',
  'delta',
  'zet',
  'untitled',
  'x',
];
const queries = fc.array(fc.constantFrom(...queryWords), { minLength: 1, maxLength: 3 });

describe('an index that follows the edits of a space', () => {
  it('finds what a reading of all pages finds, with the same scores, in every step', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(edits, { minLength: 1, maxLength: 3 }),
        fc.array(queries, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(null, 'en', 'de'),
        async (rounds, wanted, language) => {
          const objects = memoryObjects();
          const indexes = new SearchIndexes(objects, new DocumentAnalyses(objects, { SEARCH_MEMORY_MB: 8 }));
          const roots = [EMPTY_ROOT];
          for (const [index, round] of rounds.entries())
            roots.push(await applyEdits(objects, roots.at(-1) ?? EMPTY_ROOT, round, `r${index}`));
          // Back to an earlier revision, too: change requests are not searched, but a rollback is.
          for (const root of [...roots, roots[0] ?? EMPTY_ROOT, roots.at(-1) ?? EMPTY_ROOT]) {
            const pages = await readAll(objects, root);
            const content = { organization: 'o', space: 'space', pool: 'pool', root, language };
            // Another space has the same dictionary, and adds words to it.
            const other = { ...content, space: 'other', root: roots.find((one) => one !== root) ?? root };
            await indexes.with(scope, other, () => undefined);
            await indexes.with(scope, content, (index) => {
              for (const query of wanted.map((words) => words.join(' '))) {
                const matcher = matcherOf(wantedWords(query));
                for (const step of searchSteps) {
                  const { scored, isFound } = findPages(index, pagesFor(index, { kind: 'editor' }), matcher, step);
                  const expected = naive(pages, query, step, language);
                  expect(scored.map(({ id }) => id).sort()).toEqual([...expected.keys()].sort());
                  for (const one of scored) {
                    expect(one.score).toBeCloseTo(expected.get(one.id) ?? -1, 9);
                    const hit = hitOf(index, { organization: 'o', space: 'space' }, one, isFound);
                    expect(hit.path).toBe(pages.find(({ id }) => id === one.id)?.path);
                  }
                  expect(scored).toEqual([...scored].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)));
                }
              }
            });
          }
        },
      ),
      { numRuns: runs, seed },
    );
  }, 120_000);
});
