import { nameOfText } from '@scriptorium/tree';
import { generateNKeysBetween } from 'fractional-indexing';
import { slugFrom, type Page } from '../../versions/index.js';
import type { ScriptedComputedPage } from './computed-page.js';

/** The pages of one source, without their texts. */
export type Expansion = readonly (Omit<ScriptedComputedPage, 'document'> & { document: string | undefined })[];

/** A computed page, and what its pages are made of. */
export interface Expandable {
  page: Page;
  /** Differs when the source, or something that it depends on, does. */
  seed: string;
  /** Whether the script of an integration would compute something else now. */
  isStale?: boolean;
  /** Whether documents of some of its pages are missing. */
  isPartial?: boolean;
}

/** Marks what a script would compute in another way now. */
export function staleOf({ isStale = false }: Expandable): { stale?: true } {
  return isStale ? { stale: true } : {};
}

/** Marks a source of which not all pages are as they would be now. */
export function partlyStaleOf({ isPartial = false }: Expandable): { stale?: true } {
  return isPartial ? { stale: true } : {};
}

/**
 * The pages of a source as they stand in a tree. Their ids follow from that of the computed page and what they show.
 */
export function pagesOf(source: Expandable, expansion: Expansion): Page[] {
  const { page, seed } = source;
  const shown = withoutFaulty(expansion);
  const orders = generateNKeysBetween(null, null, shown.length);
  const idOf = (key: string): string => hashOf([page.id, key]);
  return shown.map(({ key, type = 'document', title, slug, parent, document, ...fields }, index) => ({
    ...fields,
    id: idOf(key),
    type,
    title,
    ...(type === 'link' ? {} : { slug: slugFrom(slug, title) }),
    parent: parent === undefined ? page.id : idOf(parent),
    order: orders[index] ?? '',
    ...(document === undefined ? {} : { document }),
    seed,
    ...staleOf(source),
    ...(page.noIndex === undefined ? {} : { noIndex: page.noIndex }),
    ...(page.noRobotsIndex === undefined ? {} : { noRobotsIndex: page.noRobotsIndex }),
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
  }));
}

/** A page whose document is missing is left out, or a group when there are pages in it. */
function withoutFaulty(expansion: Expansion): Expansion {
  const parents = new Set<string | undefined>();
  return expansion
    .toReversed()
    .flatMap(({ fault, ...page }) => {
      const isMissing = fault !== undefined && page.document === undefined;
      if (isMissing && !parents.has(page.key)) return [];
      parents.add(page.parent);
      if (!isMissing) return [page];
      const { computed: _, description: _none, ...group } = page;
      return [{ ...group, type: 'group' as const }];
    })
    .toReversed();
}

/** A name of 24 letters and digits. */
export function hashOf(parts: readonly string[]): string {
  return nameOfText(JSON.stringify(parts)).slice(0, 24);
}
