import type { UserToken } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Urls } from '../../organization-read-models/index.js';
import type { TokenDocument } from './token.projection.js';

export function renderToken(doc: Stored<TokenDocument>, lastUsedAt: string | undefined, urls: Urls): UserToken {
  return {
    object: 'user-token',
    id: doc._id,
    label: doc.label,
    createdAt: doc.createdAt,
    ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
    ...(doc.expiresAt === undefined ? {} : { expiresAt: doc.expiresAt }),
    ...(doc.scopes === undefined ? {} : { scopes: doc.scopes }),
    urls: { location: `${urls.api}/user/tokens/${doc._id}` },
  };
}
