import { AppError, type User } from '@scriptorium/contracts';
import { keyed, type Scope } from '@scriptorium/platform';
import {
  isWithoutSSO,
  memberKey,
  members,
  organizations as organizationDocs,
  renderDeletedUser,
  renderUser,
  users,
} from '../../organization-read-models/index.js';

/**
 * A user as the caller sees them. The address is shown to the person and to members of a shared organization who meet
 * its single sign-on, if it enforces any.
 */
export async function getUser(scope: Scope, id: string, caller: string): Promise<User> {
  const doc = await scope.store.read(users).byId(id);
  if (doc === null) throw new AppError('not_found');
  const email = id === caller || (await shareOrganization(scope, doc.organizations, caller));
  return renderUser(doc, scope.urls, { email });
}

async function shareOrganization(scope: Scope, organizations: readonly string[], user: string): Promise<boolean> {
  if (organizations.length === 0) return false;
  const places = await scope.store
    .read(members)
    .byIds(organizations.map((organization) => memberKey(organization, user)));
  const active = places.filter(({ disabled }) => !disabled);
  const shared = keyed(await scope.store.read(organizationDocs).byIds(active.map(({ organization }) => organization)));
  for (const place of active) {
    const doc = shared.get(place.organization);
    if (doc !== undefined && !(await isWithoutSSO(scope.store, doc, place))) return true;
  }
  return false;
}

/** Users for the answers of other services, without addresses. An unknown id is answered as a deleted user. */
export async function lookupUsers(scope: Scope, ids: readonly string[]): Promise<User[]> {
  const wanted = [...new Set(ids)];
  const docs = keyed(await scope.store.read(users).byIds(wanted));
  return wanted.map((id) => {
    const doc = docs.get(id);
    return doc === undefined ? renderDeletedUser(id, scope.urls) : renderUser(doc, scope.urls, { email: false });
  });
}
