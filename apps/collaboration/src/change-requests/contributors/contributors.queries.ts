import { lookupUsers, referTo, type ChangeRequestContributor } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { ask, findPage, pageBy, type Asking, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { contributors, type ContributorDocument } from './contributor.projection.js';

/** Contributions that are sorted by names. Names are known to identity alone, which is asked for all of them. */
const mostNamed = 1_000;

/**
 * Who has done what in a change request: the most frequent first, then by name. A very long list is sorted by user id
 * instead of name.
 */
export async function listContributors(
  scope: Scope & Asking,
  changeRequest: string,
  { operation, ...request }: PageRequest & { operation: string },
): Promise<Page<ChangeRequestContributor>> {
  const [model, filter] = [scope.store.read(contributors), { changeRequest }];
  const all = await model
    .find(filter)
    .sort({ rank: 1, _id: 1 })
    .limit(mostNamed + 1)
    .toArray();
  const binding = { operation, scope: { changeRequest }, order: 'asc' } as const;
  if (all.length > mostNamed) {
    const page = await findPage(scope.cursors, { model, filter, sort: 'rank', binding, request });
    return { ...page, items: page.items.map(render) };
  }
  const keys = await keysByName(scope, all);
  const page = await pageBy(scope.cursors, {
    binding: { ...binding, sort: 'name' },
    request,
    fetch: (limit, after) => keys.filter((one) => after === undefined || comesAfter(one, after)).slice(0, limit),
    count: () => keys.length,
    isCounted: true,
    keysOf: ({ key, doc }) => [key, doc._id],
  });
  return { ...page, items: page.items.map(({ doc }) => render(doc)) };
}

interface Sorted {
  /** Sorts by count and name. */
  key: string;
  doc: Stored<ContributorDocument>;
}

async function keysByName(asking: Asking, docs: readonly Stored<ContributorDocument>[]): Promise<Sorted[]> {
  if (docs.length === 0) return [];
  const { items } = await ask(asking, lookupUsers, { ids: [...new Set(docs.map(({ user }) => user))] });
  const names = new Map(items.map(({ id, displayName }) => [id, displayName.normalize('NFKC').toLowerCase()]));
  const sorted = docs.map((doc) => {
    const [byCount = ''] = doc.rank.split(':');
    return { key: `${byCount}:${names.get(doc.user) ?? ''}`, doc };
  });
  return sorted.sort((a, b) => (comesAfter(a, [b.key, b.doc._id]) ? 1 : -1));
}

function comesAfter({ key, doc: { _id } }: Sorted, [after, id]: readonly unknown[]): boolean {
  const last = String(after);
  return key > last || (key === last && _id > String(id));
}

function render({ user, action: actionType, count, updatedAt }: ContributorDocument): ChangeRequestContributor {
  return { user: referTo('user', user), actionType, count, updatedAt };
}
