import { AppError, type SCIMToken } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { lastUses } from '../../accounts/index.js';
import { baseURL } from '../base-url.js';
import { type SCIMTokenDocument, scimTokens } from './scim-token.projection.js';

function renderToken(
  { _id: id, organization, label, createdAt, expiresAt }: Stored<SCIMTokenDocument>,
  lastUsedAt: string | undefined,
  urls: Scope['urls'],
): SCIMToken {
  return {
    object: 'scim-token',
    id,
    label,
    createdAt,
    ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    service: { baseURL: baseURL(urls, organization) },
    urls: { location: `${urls.api}/orgs/${organization}/scim/tokens/${id}` },
  };
}

export async function getSCIMToken(scope: Scope, id: string): Promise<SCIMToken> {
  const doc = await scope.store.read(scimTokens).byId(id);
  if (doc === null) throw new AppError('not_found');
  return renderToken(doc, undefined, scope.urls);
}

/** The SCIM tokens of an organization, newest first. */
export async function listSCIMTokens(
  scope: Scope,
  filter: PageRequest & { organization: string; operation: string },
): Promise<Page<SCIMToken>> {
  const { organization, operation } = filter;
  const page = await findPage(scope.cursors, {
    model: scope.store.read(scimTokens),
    filter: { organization },
    sort: 'createdAt',
    binding: { operation, scope: { organization }, order: 'desc' },
    request: filter,
  });
  const used = await lastUses(
    scope,
    page.items.map(({ _id }) => _id),
  );
  return { ...page, items: page.items.map((doc) => renderToken(doc, used.get(doc._id), scope.urls)) };
}
