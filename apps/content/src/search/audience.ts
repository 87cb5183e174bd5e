import { compile, VISITOR_VARIABLES } from '@scriptorium/expressions';
import type { IndexedPage, SpaceIndex } from './space-index.js';

/**
 * Who searches. Editors find all pages, hidden ones too. Visitors find what is in the navigation, is shown to them by their claims, and
 * is not excluded from search. Agents are visitors of another type.
 */
export type Audience = { kind: 'editor' } | { kind: 'visitor' | 'agent'; claims: Readonly<Record<string, unknown>> };

type Variables = Readonly<Record<string, string>>;

/** Pages that lie within each other, at most. */
const deepest = 32;

/** The pages that an audience can find. Groups and pages count; entries that lead elsewhere are no pages. */
export function pagesFor(
  { pages }: Pick<SpaceIndex, 'pages'>,
  audience: Audience,
  variables: { space: Variables; page(id: string): Variables } = { space: {}, page: () => ({}) },
): IndexedPage[] {
  const all = [...pages.values()].filter(({ page }) => page.type !== 'link');
  if (audience.kind === 'editor') return all;
  return all.filter(({ page }) => {
    if (page.noIndex === true) return false;
    for (let [next, depth]: [IndexedPage | undefined, number] = [pages.get(page.id), 0]; depth <= deepest; depth += 1) {
      if (next === undefined || next.page.hidden === true) return false;
      const { condition, id, parent } = next.page;
      if (condition !== undefined && !isShown(condition, audience, variables.space, variables.page(id))) return false;
      if (parent === undefined) return true;
      next = pages.get(parent);
    }
    return false;
  });
}

/** A condition that cannot be read shows nothing. */
function isShown(
  condition: string,
  { kind, claims }: Exclude<Audience, { kind: 'editor' }>,
  space: Variables,
  page: Variables,
): boolean {
  try {
    const visitor = { type: kind === 'agent' ? 'agent' : 'human', claims };
    const scope = { visitor, space: { vars: space }, page: { vars: page } };
    return compile(condition, { variables: VISITOR_VARIABLES }).evaluate(scope) === true;
  } catch {
    return false;
  }
}
