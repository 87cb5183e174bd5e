import { AppError, type UserToken } from '@scriptorium/contracts';
import { findPage, type Page, type PageRequest, type ServiceContext } from '@scriptorium/platform';
import { renderToken } from '../resources.js';
import { lastUses } from './token-use.operational.js';
import { tokens } from './token.projection.js';

export async function getToken(context: ServiceContext, id: string): Promise<UserToken> {
  const doc = await context.store.collection(tokens).byId(id);
  if (doc === null) throw new AppError('not_found');
  return renderToken(doc, undefined, context.urls);
}

/** The tokens of a user, newest first. */
export async function listTokens(
  context: ServiceContext,
  filter: PageRequest & { user: string; operation: string },
): Promise<Page<UserToken>> {
  const { user, operation } = filter;
  const page = await findPage(context.cursors, {
    model: context.store.collection(tokens),
    filter: { user },
    sort: 'createdAt',
    binding: { operation, scope: { user }, order: 'desc' },
    request: filter,
  });
  const used = await lastUses(context.store, page.items.map(({ _id }) => _id));
  return { ...page, items: page.items.map((doc) => renderToken(doc, used.get(doc._id), context.urls)) };
}
