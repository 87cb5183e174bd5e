import { AppError, type UserToken } from '@scriptorium/contracts';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { renderToken } from './token.render.js';
import { lastUses } from './token-use.operational.js';
import { tokens } from './token.projection.js';

export async function getToken(scope: Scope, id: string): Promise<UserToken> {
  const doc = await scope.store.read(tokens).byId(id);
  if (doc === null) throw new AppError('not_found');
  return renderToken(doc, undefined, scope.urls);
}

/** The tokens of a user, newest first. */
export async function listTokens(
  scope: Scope,
  filter: PageRequest & { user: string; operation: string },
): Promise<Page<UserToken>> {
  const { user, operation } = filter;
  const page = await findPage(scope.cursors, {
    model: scope.store.read(tokens),
    filter: { user },
    sort: 'createdAt',
    binding: { operation, scope: { user }, order: 'desc' },
    request: filter,
  });
  const used = await lastUses(
    scope,
    page.items.map(({ _id }) => _id),
  );
  return { ...page, items: page.items.map((doc) => renderToken(doc, used.get(doc._id), scope.urls)) };
}
