import { membershipKey, memberships } from '@scriptorium/access';
import { AppError, lookupUsers, type Principal } from '@scriptorium/contracts';
import { ask, type Scope } from '@scriptorium/platform';
import type { Resolved } from '@scriptorium/rich-text';
import { findSpecHead } from '../../../library/index.js';
import { anchorOf, textIn, type ContentRef, type Targets } from './content-targets.js';
import { mainContentOf, mayViewNode, type Onlooker } from './other-space.queries.js';
import { pagesNamed } from './page-links.queries.js';
import { pageUrl } from './pages.render.js';
import type { ContentView } from './view.queries.js';

/** Other spaces that one answer looks into. */
const mostSpaces = 100;
/** Specifications that one answer looks for. */
const mostSpecs = 50;
/** People that are asked for at once. */
const mostPeople = 1_000;

/**
 * What references lead to outside of their space: pages of other spaces, and people. What the caller may not view does
 * not exist for them. What was looked at is added to what the answer shows.
 */
export async function targetsElsewhere(
  scope: Scope,
  onlooker: Onlooker,
  view: ContentView,
  refs: readonly ContentRef[],
): Promise<Targets> {
  const [pages, people, specs] = await Promise.all([
    pagesElsewhere(scope, onlooker, view, refs),
    peopleNamed(scope, onlooker.principal, view, refs),
    publicSpecsIn(scope, onlooker, view, refs),
  ]);
  return new Map([...pages, ...people, ...specs]);
}

/** The addresses of public specifications. Others can be had by nobody who reads the content alone. */
async function publicSpecsIn(
  scope: Scope,
  { objects }: Pick<Onlooker, 'objects'>,
  { organization, also }: ContentView,
  refs: readonly ContentRef[],
): Promise<Map<string, Resolved>> {
  const found = new Map<string, Resolved>();
  const named = refs.filter(({ kind, spec }) => kind === 'openapi' && typeof spec === 'string');
  for (const ref of named.slice(0, mostSpecs)) {
    const head = await findSpecHead(scope, organization, textIn(ref, 'spec'));
    also.push([textIn(ref, 'spec'), head?.isPublic ?? null]);
    if (head?.isPublic !== true) continue;
    const href = `${objects.files.origin}/openapi/${organization}/${head.slug}.json`;
    found.set(JSON.stringify(ref), { title: head.slug, href });
  }
  return found;
}

async function pagesElsewhere(
  scope: Scope,
  onlooker: Onlooker,
  view: ContentView,
  refs: readonly ContentRef[],
): Promise<Map<string, Resolved>> {
  const { organization } = view;
  const found = new Map<string, Resolved>();
  for (const [space, leading] of bySpace(view, refs)) {
    const isShown = await mayViewNode(scope, onlooker, organization, { id: space, kind: 'space' });
    const other = isShown ? await mainContentOf(scope, onlooker, organization, space) : undefined;
    view.also.push([space, isShown, other?.revision ?? null, other?.also ?? null]);
    if (other === undefined) continue;
    const { pages } = await pagesNamed(
      other.tree,
      leading.map((ref) => textIn(ref, 'page')),
      undefined,
    );
    for (const ref of leading) {
      const page = pages.get(textIn(ref, 'page'));
      if (page === undefined) continue;
      const href = `${pageUrl(scope.urls, other, page.id)}${anchorOf(ref)}`;
      found.set(JSON.stringify(ref), { title: page.title, path: page.path, href });
    }
  }
  return found;
}

/** The references to pages of other spaces, by space. */
function bySpace(view: ContentView, refs: readonly ContentRef[]): Map<string, ContentRef[]> {
  const spaces = new Map<string, ContentRef[]>();
  for (const ref of refs) {
    const { space, page } = ref;
    if (typeof space !== 'string' || space === view.space || typeof page !== 'string') continue;
    const same = spaces.get(space);
    if (same !== undefined) same.push(ref);
    else if (spaces.size < mostSpaces) spaces.set(space, [ref]);
  }
  return spaces;
}

/**
 * Members of the organization. Visitors and integrations are told of nobody. `caller`: the one who asks; `null` for
 * work that nobody waits for.
 */
export async function peopleNamed(
  scope: Scope,
  caller: Principal | null,
  view: ContentView,
  refs: readonly ContentRef[],
): Promise<Map<string, Resolved>> {
  if (caller !== null && caller.kind !== 'user') return new Map();
  const named = refs.filter(({ kind, user }) => kind === 'user' && typeof user === 'string');
  const ids = [...new Set(named.map((ref) => textIn(ref, 'user')))].slice(0, mostPeople);
  if (ids.length === 0) return new Map();
  const places = await scope.store.read(memberships).byIds(ids.map((id) => membershipKey(view.organization, id)));
  const members = new Set(places.map(({ _id }) => _id));
  const users = await usersWith(
    { ...scope, principal: caller },
    ids.filter((id) => members.has(membershipKey(view.organization, id))),
  );
  view.also.push([...users]);
  const found = new Map<string, Resolved>();
  for (const ref of named) {
    const person = users.get(textIn(ref, 'user'));
    if (person !== undefined) found.set(JSON.stringify(ref), person);
  }
  return found;
}

/** People by id. While the service that knows them does not answer, mentions are shown without their names. */
async function usersWith(asking: Parameters<typeof ask>[0], ids: readonly string[]): Promise<Map<string, Resolved>> {
  if (ids.length === 0) return new Map();
  try {
    const { items } = await ask(asking, lookupUsers, { ids: [...ids] });
    return new Map(items.map(({ id, displayName, urls }) => [id, { title: displayName, href: urls.location }]));
  } catch (error) {
    if (error instanceof AppError && error.reason === 'unavailable') return new Map();
    throw error;
  }
}
