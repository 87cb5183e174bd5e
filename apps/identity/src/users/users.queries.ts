import { AppError, type User } from '@scriptorium/contracts';
import { keyed, type ServiceContext } from '@scriptorium/platform';
import { memberKey, members } from '../members/member.projection.js';
import { renderDeletedUser, renderUser } from '../resources.js';
import { users } from './user.projection.js';

/** A user as the caller sees them: the address only for the person and for members of a shared organization. */
export async function getUser(context: ServiceContext, id: string, caller: string): Promise<User> {
  const doc = await context.store.collection(users).byId(id);
  if (doc === null) throw new AppError('not_found');
  const email = id === caller || (await shareOrganization(context, doc.organizations, caller));
  return renderUser(doc, context.urls, { email });
}

async function shareOrganization(context: ServiceContext, organizations: readonly string[], user: string): Promise<boolean> {
  if (organizations.length === 0) return false;
  const places = await context.store.collection(members).byIds(organizations.map((organization) => memberKey(organization, user)));
  return places.some(({ disabled }) => !disabled);
}

/** Users for responses of other services, in no order; whoever is not known was erased. Addresses are never among them. */
export async function lookupUsers(context: ServiceContext, ids: readonly string[]): Promise<User[]> {
  const wanted = [...new Set(ids)];
  const docs = keyed(await context.store.collection(users).byIds(wanted));
  return wanted.map((id) => {
    const doc = docs.get(id);
    return doc === undefined ? renderDeletedUser(id, context.urls) : renderUser(doc, context.urls, { email: false });
  });
}
