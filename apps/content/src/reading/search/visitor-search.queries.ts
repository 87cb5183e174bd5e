import type { Scope } from '@scriptorium/platform';
import { setImmediate } from 'node:timers/promises';
import type { ContentView } from '../content/index.js';
import { seeDocument, withoutExpressions } from '../analysis/index.js';
import { findPages, type PageAttributes } from '../../versions/index.js';
import { seenBy, type Reader, type SeenContent, type Variables } from '../page-visibility/index.js';
import type { See } from './hits/hits.render.js';
import { pagesFor, type Audience } from './space-indexes/audience.js';
import { findPages as findWords } from './matching/find-pages.js';
import type { Search } from './matching/search.js';
import type { SearchIndexes, SeenDocuments } from './space-indexes/search-indexes.process.js';
import { pageAsSeen, type SpaceIndex } from './space-indexes/space-index.js';

/** Pages that are looked at before other requests get their turn. */
const untilTurn = 32;

/** Where a visitor searches. */
export type SearchedView = Pick<ContentView, 'tree' | 'root'> & { reader: Reader };

/** How a visitor sees the pages that a search could find and that look different to different visitors. */
export interface SeenPages {
  /** The index with these pages as the visitor sees them. Use it at once: indexes change. */
  within(index: SpaceIndex): SpaceIndex;
  see: See;
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
  { content, matcher, audience }: Search,
): Promise<SeenPages> {
  const ids = await indexes.with(scope, content, (index) => {
    const conditional = pagesFor(index, audience).filter(({ isConditional }) => isConditional);
    return findWords(index, conditional, matcher, 'any').scored.map(({ id }) => id);
  });
  const pages = await findPages(tree, ids);
  const attributes = await tree.objects([...pages.values()].flatMap((page) => page.attributes ?? []));
  const around = await seen.surroundings({ tree, reader });
  const looked: (SeenDocuments & { id: string })[] = [];
  const variables = new Map<string, Variables>();
  for (const [id, { document, attributes: name = '' }] of pages) {
    const { variables: own = {} } = (attributes.get(name) ?? {}) as PageAttributes;
    variables.set(id, own);
    const found = await seen.partsOf(scope, around, { document, variables: own });
    const as = seenBy(reader, around.space, own);
    looked.push({ id, parts: found, seen: as, see: (one) => seeDocument(withoutExpressions(one), as) });
    // What is known already is not waited for, so other requests would wait for all pages.
    if (looked.length % untilTurn === 0) await setImmediate();
  }
  const described = await indexes.withSpecs(scope, content, looked);
  const parts = new Map(looked.map(({ id }, index) => [id, described[index] ?? []]));
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
