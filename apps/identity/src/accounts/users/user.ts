import { AppError } from '@scriptorium/contracts';
import {
  defineAggregate,
  emptyKeyed,
  keyedDrop,
  keyedPut,
  unchanged,
  type EventDataOf,
  type Keyed,
} from '@scriptorium/event-sourcing';
import { type UserEvent, userEvents } from '../../events/index.js';

export type User =
  | { status: 'absent' }
  | {
      status: 'active';
      displayName: string;
      photoURL: string | null;
      email: string;
      emailVerified: boolean;
      kind: 'person' | 'service';
      /** How the identity providers of organizations name the person, by organization. */
      provisioned: Keyed<EventDataOf<UserEvent, 'UserProvisioned'>>;
    };

function evolve(state: User, event: UserEvent): User {
  if (event.type === 'UserRegistered') {
    const { displayName, email, emailVerified, kind } = event.data;
    return { status: 'active', displayName, photoURL: null, email, emailVerified, kind, provisioned: emptyKeyed };
  }
  if (state.status === 'absent') return state;
  switch (event.type) {
    case 'UserEmailVerified':
      return { ...state, emailVerified: true };
    case 'UserRenamed':
      return { ...state, displayName: event.data.displayName };
    case 'UserPhotoChanged':
      return { ...state, photoURL: event.data.photoURL };
    case 'UserProvisioned':
      return { ...state, provisioned: keyedPut(state.provisioned, event.data.organization, event.data) };
    case 'UserDeprovisioned':
      return { ...state, provisioned: keyedDrop(state.provisioned, event.data.organization) };
    default:
      return unchanged(state, event);
  }
}

export const user = defineAggregate({
  service: 'identity',
  entity: 'user',
  events: userEvents,
  initial: { status: 'absent' },
  evolve,
});

/** Registers a user. The address is stored in lower case, since addresses are compared without regard to case. */
export function register(state: User, input: EventDataOf<UserEvent, 'UserRegistered'>): UserEvent[] {
  if (state.status !== 'absent') throw new AppError('already_exists');
  return [{ type: 'UserRegistered', data: { ...input, email: input.email.toLowerCase() } }];
}

/** Records that the address is verified. No event when it already is. */
export function verifyEmail(state: User): UserEvent[] {
  if (state.status !== 'active') throw new AppError('not_found');
  return state.emailVerified ? [] : [{ type: 'UserEmailVerified', data: {} }];
}

export function changeProfile(
  state: User,
  input: { displayName?: string | undefined; photoURL?: string | null | undefined },
): UserEvent[] {
  if (state.status !== 'active') throw new AppError('not_found');
  const { displayName, photoURL } = input;
  const events: UserEvent[] = [];
  if (displayName !== undefined && displayName !== state.displayName) {
    events.push({ type: 'UserRenamed', data: { displayName } });
  }
  if (photoURL !== undefined && photoURL !== state.photoURL)
    events.push({ type: 'UserPhotoChanged', data: { photoURL } });
  return events;
}
