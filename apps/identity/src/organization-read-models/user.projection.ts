import { projection, type Recorded } from '@scriptorium/event-sourcing';
import {
  type ErasureEvent,
  erasureEvents,
  type RosterEvent,
  rosterEvents,
  type UserEvent,
  userEvents,
} from '../events/index.js';
import { sortKey } from './sort-key.js';

const shownEvents = userEvents.pick('UserRegistered', 'UserEmailVerified', 'UserRenamed', 'UserPhotoChanged');

export interface UserDocument {
  displayName: string;
  photoURL: string | null;
  email: string;
  emailVerified: boolean;
  kind: 'person' | 'service';
  operator: boolean;
  nameKey: string;
  /** When the name was last changed; absent until then. */
  renamedAt?: string;
  /** Organizations that the person is a member of. */
  organizations: string[];
}

type Consumed = Recorded<UserEvent | RosterEvent | ErasureEvent>;

function idOf(event: Consumed): string | null {
  switch (event.type) {
    case 'UserRegistered':
    case 'UserEmailVerified':
    case 'UserRenamed':
    case 'UserPhotoChanged':
      return event.entityId;
    case 'MemberJoined':
    case 'MemberRemoved':
    case 'UserErased':
      return event.data.user;
    default:
      return null;
  }
}

function evolve(doc: UserDocument | null, event: Consumed): UserDocument | null {
  if (event.type === 'UserRegistered') {
    const { displayName } = event.data;
    return { ...event.data, photoURL: null, nameKey: sortKey(displayName), organizations: [] };
  }
  if (doc === null) return null;
  switch (event.type) {
    case 'UserEmailVerified':
      return { ...doc, emailVerified: true };
    case 'UserRenamed': {
      const { displayName } = event.data;
      return { ...doc, displayName, nameKey: sortKey(displayName), renamedAt: event.meta.time };
    }
    case 'UserPhotoChanged':
      return { ...doc, photoURL: event.data.photoURL };
    case 'MemberJoined':
      return { ...doc, organizations: [...doc.organizations, event.meta.organization ?? ''] };
    case 'UserErased':
      return null;
    case 'MemberRemoved':
      return { ...doc, organizations: doc.organizations.filter((id) => id !== event.meta.organization) };
    default:
      return doc;
  }
}

export const users = projection({
  name: 'user',
  version: 5,
  entities: ['identity.user', 'identity.roster', 'identity.erasure'],
  events: [shownEvents, rosterEvents.pick('MemberJoined', 'MemberRemoved'), erasureEvents.pick('UserErased')],
  indexes: [{ key: { email: 1 } }, { key: { operator: 1, _id: 1 } }, { key: { organizations: 1, nameKey: 1, _id: 1 } }],
  id: idOf,
  evolve,
});
