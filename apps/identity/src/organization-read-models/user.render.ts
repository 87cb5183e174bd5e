import type { User } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Urls } from './urls.js';
import type { UserDocument } from './user.projection.js';

export function renderUser(doc: Stored<UserDocument>, urls: Urls, options: { email: boolean }): User {
  return {
    object: 'user',
    id: doc._id,
    displayName: doc.displayName,
    ...(options.email ? { email: doc.email } : {}),
    ...(doc.photoURL === null ? {} : { photoURL: doc.photoURL }),
    urls: { location: `${urls.api}/users/${doc._id}` },
  };
}

/** A person whose data was erased: memberships and audit events keep only the id. */
export function renderDeletedUser(id: string, urls: Urls): User {
  return { object: 'user', id, displayName: 'Deleted user', urls: { location: `${urls.api}/users/${id}` } };
}
