import { describe, expect, it } from '@jest/globals';
import type { StoreScope } from '@scriptorium/event-sourcing';
import type { WorkerPool } from '@scriptorium/platform';
import fc from 'fast-check';
import { DocumentAnalyses } from '../reading/analysis/index.js';
import { LinksOfRevisions } from '../reading/links/links-of-revisions.process.js';
import { contentTree } from '../versions/object-store/index.js';
import { childIds, idIn, keys, pageAt } from '../versions/pages/index.js';
import { findBest } from '../reading/search/hits/hits.js';
import { matcherOf } from '../reading/search/matching/matching.js';
import { wantedWords } from '../reading/search/matching/query.js';
import { SearchIndexes } from '../reading/search/space-indexes/search-indexes.process.js';
import { audienceOf, lookAtPages } from '../reading/search/visitor-search.queries.js';
import {
  conditions,
  contentId,
  fileId,
  looker,
  madeContent,
  pageId,
  parentOf,
  storeContent,
  words,
  type Looker,
  type MadeContent,
  type Part,
} from '../test/conditional-content.js';
import { memoryObjects } from '../test/memory-objects.js';
import { findHiddenPages, SeenContent, visibleTree, type Reader } from '../reading/page-visibility/index.js';

const runs = Number(process.env['FUZZ_RUNS'] ?? '') || 200;
const seed = Number(process.env['SEED'] ?? '') || 1;

interface Shown {
  words: Set<string>;
  files: Set<string>;
  pages: Set<string>;
  contents: Set<string>;
}

/** What a looker sees of parts, read from the first to the last. */
function read(
  parts: readonly Part[],
  made: MadeContent,
  who: Looker,
  vars: Record<string, string>,
  shown: Shown,
  open: number[],
): Shown {
  for (const part of parts)
    switch (part.kind) {
      case 'word':
        shown.words.add(words[part.word] ?? '');
        break;
      case 'file':
        shown.files.add(fileId(part.to));
        break;
      case 'page':
        shown.pages.add(pageId(part.to));
        break;
      case 'include': {
        const content = made.contents[part.to];
        if (content === undefined) break;
        shown.contents.add(contentId(part.to));
        if (!open.includes(part.to)) read(content, made, who, vars, shown, [...open, part.to]);
        break;
      }
      case 'if':
        if (conditions[part.condition]?.(who, vars) === true) read(part.parts, made, who, vars, shown, open);
    }
  return shown;
}

const empty = (): Shown => ({ words: new Set(), files: new Set(), pages: new Set(), contents: new Set() });
const varsOf = ({ loud }: { loud: boolean }): Record<string, string> => (loud ? { tone: 'loud' } : {});

/** The indexes of the pages that are shown, by going up from each. */
function shownPages(made: MadeContent, who: Looker): number[] {
  const holds = (index: number): boolean => {
    const page = made.pages[index];
    if (page === undefined) return false;
    const own =
      page.condition === undefined ||
      page.leadsTo !== undefined ||
      conditions[page.condition]?.(who, varsOf(page)) === true;
    const parent = parentOf(made, index);
    return own && (parent === undefined || holds(parent));
  };
  const reads = (index: number, behind: number[]): boolean => {
    const to = made.pages[index]?.leadsTo;
    if (!holds(index)) return made.pages[index] === undefined;
    return to === undefined || behind.includes(to) || reads(to, [...behind, to]);
  };
  return [...made.pages.keys()].filter((index) => reads(index, [index]));
}

const sorted = (all: Iterable<string>): string[] => [...new Set(all)].sort();

describe('what visitors see of a content', () => {
  it('is what a reading of all of it, part by part, shows them: pages, files, shared texts, links, hits', async () => {
    await fc.assert(
      fc.asyncProperty(madeContent, fc.array(looker, { minLength: 1, maxLength: 3 }), async (made, lookers) => {
        const objects = memoryObjects();
        const facts = new DocumentAnalyses(objects, { SEARCH_MEMORY_MB: 8 });
        const seen = new SeenContent(objects, facts);
        const indexes = new SearchIndexes(objects, facts);
        const links = new LinksOfRevisions(facts, seen);
        const root = await storeContent(objects, made);
        const whole = contentTree(objects, 'pool', root);
        const scope = { workers: {} as WorkerPool, store: {} as StoreScope };
        for (const who of lookers) {
          const claims = { a: who.a, ...(who.plan === undefined ? {} : { plan: who.plan }) };
          const reader: Reader = { type: who.agent ? 'agent' : 'human', claims, spaces: ['space'] };
          const hidden = await findHiddenPages(objects, { tree: whole, root }, reader);
          const tree = visibleTree(whole, hidden);
          const view = { tree, root, reader, space: 'space' };

          const pages = shownPages(made, who);
          const found = (await tree.range(keys.pages)).map(([key]) => idIn(key));
          expect(sorted(found)).toEqual(sorted(pages.map(pageId)));
          expect(sorted(await childIds(tree, undefined))).toEqual(
            sorted(pages.filter((index) => parentOf(made, index) === undefined).map(pageId)),
          );
          for (const index of made.pages.keys()) {
            const parent = parentOf(made, index);
            const path = parent === undefined ? pageId(index) : undefined;
            const isPage = made.pages[index]?.leadsTo === undefined;
            if (path !== undefined && isPage)
              expect((await pageAt(tree, path))?.id).toBe(pages.includes(index) ? path : undefined);
          }

          const documents = pages.filter((index) => made.pages[index]?.leadsTo === undefined);
          const of = new Map(
            documents.map((index) => {
              const page = made.pages[index] as MadeContent['pages'][number];
              return [index, read(page.parts, made, who, varsOf(page), empty(), [])] as const;
            }),
          );
          const contents = sorted([...of.values()].flatMap((one) => [...one.contents]));
          // A shared text is read alone, too, and then without the variables of a page.
          const alone = contents.map((id) =>
            read(made.contents[Number(id.slice(6))] ?? [], made, who, {}, empty(), []),
          );
          const reached = await seen.reached(scope, view);
          const allContents = sorted([...contents, ...alone.flatMap((one) => [...one.contents])]);
          expect(sorted(reached.reusableContents)).toEqual(allContents);
          expect(sorted(reached.files)).toEqual(sorted([...of.values(), ...alone].flatMap((one) => [...one.files])));

          const { links: all } = await links.of(scope, view);
          const inPages = all.filter(({ places }) => places.some(({ kind }) => kind === 'page'));
          for (const { places } of all)
            for (const { kind, id } of places)
              expect([kind, kind === 'page' ? found : allContents]).toEqual([kind, expect.arrayContaining([id])]);
          const own = (index: number) =>
            read(
              made.pages[index]?.parts ?? [],
              { ...made, contents: [] },
              who,
              varsOf(made.pages[index] as MadeContent['pages'][number]),
              empty(),
              [],
            );
          const entries = pages.flatMap((index) => made.pages[index]?.leadsTo ?? []).map(pageId);
          expect(sorted(inPages.flatMap(({ target }) => (target.kind === 'page' ? target.page : [])))).toEqual(
            sorted([...documents.flatMap((index) => [...own(index).pages]), ...entries]),
          );

          const content = { organization: 'o', space: 'space', pool: 'pool', root, language: null };
          const audience = audienceOf(hidden);
          const listed = documents.filter((index) => made.pages[index]?.noIndex === false);
          for (const word of words) {
            const matcher = matcherOf(wantedWords(`${word} `));
            const looked = await lookAtPages(scope, { indexes, seen }, view, { content, matcher, audience });
            const { scored } = await indexes.with(scope, content, (index) =>
              findBest(looked.within(index), { matcher, audience }),
            );
            const expected = listed.filter((index) => of.get(index)?.words.has(word) === true);
            expect([word, sorted(scored.map(({ id }) => id))]).toEqual([word, sorted(expected.map(pageId))]);
          }
        }
      }),
      { numRuns: runs, seed },
    );
  }, 120_000);
});
