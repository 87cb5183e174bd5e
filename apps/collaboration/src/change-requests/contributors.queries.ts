import { referTo, type ChangeRequestContributor } from '@scriptorium/contracts';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { contributors } from './contributor.projection.js';

/** Who has done what in a change request. The most frequent first, then by the ids of users: their names are not known here. */
export async function listContributors(
  scope: Pick<Scope, 'store' | 'cursors'>,
  changeRequest: string,
  filter: PageRequest & { operation: string },
): Promise<Page<ChangeRequestContributor>> {
  const page = await findPage(scope.cursors, {
    model: scope.store.read(contributors),
    filter: { changeRequest },
    sort: 'rank',
    binding: { operation: filter.operation, scope: { changeRequest }, order: 'asc' },
    request: filter,
  });
  const items = page.items.map(({ user, action: actionType, count, updatedAt }) => ({
    user: referTo('user', user),
    actionType,
    count,
    updatedAt,
  }));
  return { ...page, items };
}
