import type { Scope } from '@scriptorium/platform';
import type { RichDocument } from '@scriptorium/rich-text';
import { setImmediate } from 'node:timers/promises';
import type { ContentView } from '../content/index.js';
import { seeDocument, withoutExpressions } from '../analysis/index.js';
import { findPages, type PageAttributes } from '../../versions/index.js';
import { seenBy, type Reader, type SeenContent, type SeenPart, type Variables } from '../page-visibility/index.js';
import { pagesFor, type Audience } from './space-indexes/audience.js';
import { findPages as findWords } from './matching/find-pages.js';
import type { Matcher } from './matching/matching.js';
import type { SearchedContent, SearchIndexes } from './space-indexes/search-indexes.process.js';
import { pageAsSeen, type SpaceIndex } from './space-indexes/space-index.js';

/** Pages that are looked at before other requests get their turn. */
const untilTurn = 32;

/** Where a visitor searches. */
export type SearchedView = Pick<ContentView, 'tree' | 'root'> & { reader: Reader };

/** How a visitor sees the pages that a search could find and that look different to different visitors. */
export interface SeenPages {
  /** The index with these pages as the visitor sees them. Use it at once: indexes change. */
  within(index: SpaceIndex): SpaceIndex;
  /** A document of a page as the visitor sees it. */
  see(page: string, document: RichDocument): RichDocument;
}

/** The audience that a visitor is, from whom these pages are hidden. */
export function audienceOf(hidden: ReadonlySet<string>): Audience {
  return { kind: 'visitor', isShown: (id) => !hidden.has(id) };
}

/**
 * Looks at the pages with any of the words that look different to different visitors: the index has all of their texts,
 * also what conditions hide.
 */
export async function lookAtPages(
  scope: Pick<Scope, 'store' | 'workers'>,
  { indexes, seen }: { indexes: SearchIndexes; seen: SeenContent },
  { tree, reader }: SearchedView,
  { content, matcher, audience }: { content: SearchedContent; matcher: Matcher; audience: Audience },
): Promise<SeenPages> {
  const ids = await indexes.with(scope, content, (index) => {
    const conditional = pagesFor(index, audience).filter(({ isConditional }) => isConditional);
    return findWords(index, conditional, matcher, 'any').scored.map(({ id }) => id);
  });
  const pages = await findPages(tree, ids);
  const attributes = await tree.objects([...pages.values()].flatMap((page) => page.attributes ?? []));
  const around = await seen.surroundings({ tree, reader });
  const parts = new Map<string, SeenPart[]>();
  const variables = new Map<string, Variables>();
  for (const [id, { document, attributes: name = '' }] of pages) {
    const { variables: own = {} } = (attributes.get(name) ?? {}) as PageAttributes;
    variables.set(id, own);
    const found = await seen.partsOf(scope, around, { document, variables: own });
    const see = (one: RichDocument): RichDocument =>
      seeDocument(withoutExpressions(one), seenBy(reader, around.space, own));
    parts.set(id, await withSpecs(scope, indexes, content, { found, see }));
    // What is known already is not waited for, so other requests would wait for all pages.
    if (parts.size % untilTurn === 0) await setImmediate();
  }
  return {
    within: (index) => {
      const changed = new Map(index.pages);
      for (const [id, own] of parts) {
        const page = index.pages.get(id);
        if (page !== undefined) changed.set(id, pageAsSeen(index, page, own));
      }
      return { ...index, pages: changed };
    },
    see: (page, document) => {
      const own = variables.get(page);
      return own === undefined ? document : seeDocument(document, seenBy(reader, around.space, own));
    },
  };
}

/** What is known of the documents of a page as a visitor sees them, with what their blocks show of specifications. */
function withSpecs(
  scope: Pick<Scope, 'store' | 'workers'>,
  indexes: SearchIndexes,
  content: SearchedContent,
  { found, see }: { found: readonly SeenPart[]; see: (document: RichDocument) => RichDocument },
): Promise<SeenPart[]> {
  return Promise.all(
    found.map(async (part) => ({ ...part, analysis: await indexes.withSpecs(scope, content, part, see) })),
  );
}
