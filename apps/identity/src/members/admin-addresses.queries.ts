import type { ServiceContext } from '@scriptorium/platform';
import { users } from '../users/user.projection.js';
import { members } from './member.projection.js';

/** Verified addresses of the active admins of an organization. */
export async function adminAddresses({ store }: ServiceContext, organization: string): Promise<string[]> {
  const admins = await store.collection(members).find({ organization, role: 'admin', disabled: false }).project<{ user: string }>({ user: 1 }).toArray();
  const people = await store.collection(users).byIds(admins.map(({ user }) => user));
  return people.flatMap(({ email, emailVerified }) => (emailVerified ? [email] : []));
}
