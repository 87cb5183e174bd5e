import type { MemberRole } from '@scriptorium/contracts';
import {
  defineAggregate,
  emptyKeyed,
  keyedDrop,
  keyedGet,
  keyedPut,
  unchanged,
  type EventDataOf,
  type Keyed,
} from '@scriptorium/event-sourcing';
import { isOwnLink, type RosterEvent, rosterEvents } from '../../events/index.js';

export type Role = MemberRole | null;

export interface RosterMember {
  role: Role;
  disabled: boolean;
  /** Whether an admin has marked them for single sign-on. */
  sso: boolean;
  /** Their identity at each provider, as a keyed hash. */
  identities: Readonly<Record<string, string>>;
  /** Providers that they connected from a session of their own, or that created their account. */
  ownProviders: readonly string[];
  /** Whether they joined by themselves, or have accepted that an admin added them. */
  accepted: boolean;
  /** Id of this membership. A person who comes back gets a new one. */
  membership: string;
}

export interface OpenRoster {
  status: 'open';
  organization: string;
  members: Keyed<RosterMember>;
  /** The user to whom an identity at a provider belongs, by `identityKey`. */
  identities: Keyed<string>;
  /** The identities of members who have left, the latest last. */
  formerIdentities: readonly FormerIdentity[];
  /** The active admins. Not empty after the first one joined. */
  admins: readonly string[];
}

interface FormerIdentity {
  /** See `identityKey`. */
  key: string;
  user: string;
}

/** The most former identities. When there are more, the oldest are dropped. */
const maxFormerIdentities = 5_000;

/** The roster of a deleted organization. `members` are those whose removal is not recorded yet. */
interface ClosedRoster {
  status: 'closed';
  members: Keyed<RosterMember>;
}

/** All memberships of an organization. They are one aggregate, so that an organization always keeps an admin. */
export type Roster = { status: 'absent' } | OpenRoster | ClosedRoster;

function evolve(state: Roster, event: RosterEvent): Roster {
  if (event.type === 'RosterOpened')
    return {
      status: 'open',
      ...event.data,
      members: emptyKeyed,
      identities: emptyKeyed,
      formerIdentities: [],
      admins: [],
    };
  // No decision depends on the account kind, so the state does not contain it.
  if (state.status === 'absent' || event.type === 'MemberAccountKindRecorded') return state;
  if (event.type === 'RosterClosed') return { status: 'closed', members: state.members };
  const { user } = event.data;
  if (state.status === 'closed') return { ...state, members: keyedDrop(state.members, user) };
  switch (event.type) {
    case 'MemberJoined':
      return withMember(state, user, newMember(event.data));
    case 'MemberAccepted':
      return withChange(state, user, { accepted: true });
    case 'MemberRoleChanged':
      return withChange(state, user, { role: event.data.role });
    case 'MemberMarkedForSSO':
      return withChange(state, user, { sso: true });
    case 'MemberIdentityLinked':
      return withIdentity(state, event.data);
    case 'MemberDisabled':
      return withChange(state, user, { disabled: true });
    case 'MemberEnabled':
      return withChange(state, user, { disabled: false });
    case 'MemberRemoved':
      return withoutMember(state, user);
    default:
      return unchanged(state, event);
  }
}

function newMember({
  role,
  membership,
  sso = false,
  unaccepted,
}: EventDataOf<RosterEvent, 'MemberJoined'>): RosterMember {
  return { role, membership, sso, accepted: unaccepted !== true, disabled: false, identities: {}, ownProviders: [] };
}

function withoutMember(state: OpenRoster, user: string): OpenRoster {
  const keys = identitiesOf(state, user);
  return {
    ...state,
    members: keyedDrop(state.members, user),
    identities: keys.reduce(keyedDrop<string>, state.identities),
    formerIdentities: [...state.formerIdentities, ...keys.map((key) => ({ key, user }))].slice(-maxFormerIdentities),
    admins: state.admins.filter((id) => id !== user),
  };
}

type LinkedIdentity = EventDataOf<RosterEvent, 'MemberIdentityLinked'>;

/** A member has one identity at each provider, the latest. */
function withIdentity(state: OpenRoster, { user, provider, identity, own }: LinkedIdentity): OpenRoster {
  const present = keyedGet(state.members, user);
  if (present === undefined) return state;
  const before = present.identities[provider];
  const others =
    before === undefined ? state.identities : keyedDrop(state.identities, identityKey({ provider, identity: before }));
  const otherProviders = present.ownProviders.filter((id) => id !== provider);
  const member = {
    ...present,
    identities: { ...present.identities, [provider]: identity },
    ownProviders: isOwnLink({ own }, present) ? [...otherProviders, provider] : otherProviders,
  };
  return {
    ...withMember(state, user, member),
    identities: keyedPut(others, identityKey({ provider, identity }), user),
  };
}

function identitiesOf(state: OpenRoster, user: string): string[] {
  const { identities = {} } = keyedGet(state.members, user) ?? {};
  return Object.entries(identities).map(([provider, identity]) => identityKey({ provider, identity }));
}

function withChange(state: OpenRoster, user: string, change: Partial<RosterMember>): OpenRoster {
  const present = keyedGet(state.members, user);
  return present === undefined ? state : withMember(state, user, { ...present, ...change });
}

function withMember(state: OpenRoster, user: string, member: RosterMember): OpenRoster {
  const others = state.admins.filter((id) => id !== user);
  const admins = member.role === 'admin' && !member.disabled ? [...others, user] : others;
  return { ...state, members: keyedPut(state.members, user, member), admins };
}

export const roster = defineAggregate({
  service: 'identity',
  entity: 'roster',
  events: rosterEvents,
  initial: { status: 'absent' },
  evolve,
});

/** The entry of a member, or undefined. */
export function memberOf(state: Roster, user: string): RosterMember | undefined {
  return state.status === 'open' ? keyedGet(state.members, user) : undefined;
}

/** An identity at a provider. `identity` is a keyed hash of the name that the provider uses. */
export interface Identity {
  provider: string;
  identity: string;
}

function identityKey({ provider, identity }: Identity): string {
  return `${provider}:${identity}`;
}

/** The member to whom an identity belongs, or undefined. */
export function ownerOf(state: Roster, identity: Identity): string | undefined {
  return state.status === 'open' ? keyedGet(state.identities, identityKey(identity)) : undefined;
}

/** The former member to whom an identity belonged last, or undefined. */
export function formerOwnerOf(state: Roster, identity: Identity): string | undefined {
  if (state.status !== 'open') return undefined;
  return state.formerIdentities.findLast(({ key }) => key === identityKey(identity))?.user;
}

/** Whether a member is the only active admin who has accepted their membership. */
export function isLastAdmin(state: Roster, user: string): boolean {
  if (state.status !== 'open') return false;
  const accepted = state.admins.filter((id) => keyedGet(state.members, id)?.accepted === true);
  return accepted.length === 1 && accepted[0] === user;
}
