import { keyedEntries, type ReservationKind } from '@scriptorium/event-sourcing';
import { user } from './user.js';

/** The name that the identity provider has for a person, as it is unique: within the organization. */
export function userNameOf({ organization, userName }: { organization: string; userName: string }): string {
  return `${organization}/${userName.toLowerCase()}`;
}

/** Names of identity providers for people: each belongs to one person of an organization at a time. */
export const userNames: ReservationKind = {
  kind: 'user_name',
  normalise: (name) => name,
  async holds(owner, key, { load, keyOf }) {
    const state = await load(user, owner);
    if (state.status !== 'active') return false;
    return keyedEntries(state.provisioned).some(([, name]) => keyOf(userNames, userNameOf(name)) === key);
  },
};
