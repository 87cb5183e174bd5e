import { AppError, blaming, limitReached, type Limits, type MemberRole } from '@scriptorium/contracts';
import {
  defineAggregate, emptyKeyed, keyedDrop, keyedEntries, keyedGet, keyedPut, unchanged, type EventDataOf, type Keyed,
} from '@scriptorium/event-sourcing';
import { rosterEvents, type RosterEvent } from './roster.events.js';

type Role = MemberRole | null;
type Via = EventDataOf<RosterEvent, 'MemberJoined'>['via'];

export interface RosterMember {
  role: Role;
  disabled: boolean;
  /** An admin lets them sign in through a provider of the organization. */
  sso: boolean;
  /** By provider the identity, as a keyed hash, that stands for them there. */
  identities: Readonly<Record<string, string>>;
  /** Id of this stay; a person who is invited again gets a new one. */
  membership: string;
}

interface OpenRoster {
  status: 'open';
  organization: string;
  members: Keyed<RosterMember>;
  /** Whom an identity at a provider stands for, by `identityKey`. */
  identities: Keyed<string>;
  /** Active admins; never empty once there was one. */
  admins: readonly string[];
}

/** Nobody is a member any more; `members` are those whose removal is not recorded yet. */
interface ClosedRoster {
  status: 'closed';
  members: Keyed<RosterMember>;
}

/** All memberships of an organization: the boundary within which "an organization keeps an admin" can be held. */
export type Roster = { status: 'absent' } | OpenRoster | ClosedRoster;

function evolve(state: Roster, event: RosterEvent): Roster {
  if (event.type === 'RosterOpened') return { status: 'open', ...event.data, members: emptyKeyed, identities: emptyKeyed, admins: [] };
  if (state.status === 'absent') return state;
  if (event.type === 'RosterClosed') return { status: 'closed', members: state.members };
  const { user } = event.data;
  if (state.status === 'closed') return { ...state, members: keyedDrop(state.members, user) };
  switch (event.type) {
    case 'MemberJoined': {
      const { role, membership, sso = false } = event.data;
      return withMember(state, user, { role, membership, sso, identities: {}, disabled: false });
    }
    case 'MemberRoleChanged':
      return changed(state, user, { role: event.data.role });
    case 'MemberMarkedForSSO':
      return changed(state, user, { sso: true });
    case 'MemberIdentityLinked':
      return linked(state, event.data);
    case 'MemberDisabled':
      return changed(state, user, { disabled: true });
    case 'MemberEnabled':
      return changed(state, user, { disabled: false });
    case 'MemberRemoved':
      return left(state, user);
    default:
      return unchanged(state, event);
  }
}

function left(state: OpenRoster, user: string): OpenRoster {
  const identities = identitiesOf(state, user).reduce(keyedDrop<string>, state.identities);
  return { ...state, members: keyedDrop(state.members, user), identities, admins: state.admins.filter((id) => id !== user) };
}

/** Of one provider the latest stands for a member. */
function linked(state: OpenRoster, { user, provider, identity }: Identity & { user: string }): OpenRoster {
  const present = keyedGet(state.members, user);
  if (present === undefined) return state;
  const before = present.identities[provider];
  const others = before === undefined ? state.identities : keyedDrop(state.identities, identityKey({ provider, identity: before }));
  const member = { ...present, identities: { ...present.identities, [provider]: identity } };
  return { ...withMember(state, user, member), identities: keyedPut(others, identityKey({ provider, identity }), user) };
}

function identitiesOf(state: OpenRoster, user: string): string[] {
  const { identities = {} } = keyedGet(state.members, user) ?? {};
  return Object.entries(identities).map(([provider, identity]) => identityKey({ provider, identity }));
}

function changed(state: OpenRoster, user: string, change: Partial<RosterMember>): OpenRoster {
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

/** The member's entry, or undefined. */
export function memberOf(state: Roster, user: string): RosterMember | undefined {
  return state.status === 'open' ? keyedGet(state.members, user) : undefined;
}

/** Opens the roster of a new organization with its creator as admin; nothing when it has been opened. */
export function open(state: Roster, input: { organization: string; creator: string; membership: string }): RosterEvent[] {
  if (state.status !== 'absent') return [];
  const { organization, creator: user, membership } = input;
  return [
    { type: 'RosterOpened', data: { organization } },
    { type: 'MemberJoined', data: { user, membership, role: 'admin', via: 'creation' } },
  ];
}

/** What a provider calls somebody; `identity` is a keyed hash of the name. */
export interface Identity {
  provider: string;
  identity: string;
}

function identityKey({ provider, identity }: Identity): string {
  return `${provider}:${identity}`;
}

/** Whom an identity stands for; undefined for nobody. */
export function ownerOf(state: Roster, identity: Identity): string | undefined {
  return state.status === 'open' ? keyedGet(state.identities, identityKey(identity)) : undefined;
}

export interface Joining {
  user: string;
  membership: string;
  role: Role;
  via: Via;
  /** Whether they sign in through a provider of the organization. */
  sso?: true | undefined;
  /** Of how many organizations they are a member already. */
  organizations: number;
}

export interface Joinings {
  people: readonly Joining[];
  limits: Pick<Limits, 'membersPerOrganization' | 'organizationsPerUser'>;
  /** The admin who wants it now. */
  by?: string | undefined;
}

/** Makes people members, all of them or none; nothing for those who are. */
export function join(state: Roster, input: Joinings): RosterEvent[] {
  if (state.status !== 'open') throw new AppError('not_found');
  if (input.by !== undefined) requireAdmin(state, input.by);
  const { members } = state;
  const { membersPerOrganization, organizationsPerUser } = input.limits;
  const joining = input.people.filter(({ user }) => keyedGet(members, user) === undefined);
  if (joining.length > 0 && members.size + joining.length > membersPerOrganization) throw limitReached('membersPerOrganization', membersPerOrganization);
  if (joining.some(({ organizations }) => organizations >= organizationsPerUser)) {
    throw limitReached('organizationsPerUser', organizationsPerUser);
  }
  return joining.map(({ organizations: _, ...data }) => ({ type: 'MemberJoined', data }));
}

/**
 * Has an identity stand for somebody, who becomes a member if they are none; nothing when it does.
 * @throws AppError `already_exists` when it stands for somebody else, `forbidden` for a member who is disabled
 */
export function link(state: Roster, input: Identity & { joining: Joining; limits: Joinings['limits'] }): RosterEvent[] {
  const { provider, identity, joining, limits } = input;
  const { user } = joining;
  const owner = ownerOf(state, { provider, identity });
  if (owner !== undefined && owner !== user) throw new AppError('already_exists');
  if (memberOf(state, user)?.disabled === true) throw new AppError('forbidden');
  const joined = join(state, { people: [joining], limits });
  return owner === user ? joined : [...joined, { type: 'MemberIdentityLinked', data: { user, provider, identity } }];
}

export function changeRole(state: Roster, input: { user: string; role: Role; by: string }): RosterEvent[] {
  const member = memberOf(state, input.user);
  if (state.status !== 'open' || member === undefined) throw new AppError('not_found');
  requireAdmin(state, input.by);
  if (member.role === input.role) return [];
  if (input.role !== 'admin') keepAnAdmin(state, input.user, 'body.role');
  return [{ type: 'MemberRoleChanged', data: { user: input.user, role: input.role } }];
}

/** Lets a member sign in through a provider of the organization. `available`: it has an active one. */
export function markForSSO(state: Roster, input: { user: string; by: string; available: boolean }): RosterEvent[] {
  const member = memberOf(state, input.user);
  if (state.status !== 'open' || member === undefined) throw new AppError('not_found');
  requireAdmin(state, input.by);
  if (!input.available) throw blaming('sso_unavailable', 'params.organizationId');
  return member.sso ? [] : [{ type: 'MemberMarkedForSSO', data: { user: input.user } }];
}

/** An admin removes a member, or a member leaves. Nothing when there is no such member. */
export function removeMember(state: Roster, input: { user: string; by: string }): RosterEvent[] {
  const member = memberOf(state, input.user);
  if (state.status !== 'open' || member === undefined) return [];
  if (input.by !== input.user) requireAdmin(state, input.by);
  keepAnAdmin(state, input.user, 'params.userId');
  return [{ type: 'MemberRemoved', data: { user: input.user, membership: member.membership } }];
}

/** Whether the organization would be left without an admin if this member went. */
export function isLastAdmin(state: Roster, user: string): boolean {
  return state.status === 'open' && state.admins.length === 1 && state.admins[0] === user;
}

/** Removals that are recorded at a time. */
const removalsAtOnce = 500;

/** An admin ends all memberships, with the organization; nothing when that has been done. */
export function close(state: Roster, input: { by: string }): RosterEvent[] {
  if (state.status !== 'open') return [];
  requireAdmin(state, input.by);
  return [{ type: 'RosterClosed', data: {} }, ...removals(state.members)];
}

/** Records the removal of the next 500 members of a closed roster; nothing when there is none left. */
export function empty(state: Roster): RosterEvent[] {
  return state.status === 'closed' ? removals(state.members) : [];
}

function removals(members: Keyed<RosterMember>): RosterEvent[] {
  return keyedEntries(members)
    .slice(0, removalsAtOnce)
    .map(([user, { membership }]) => ({ type: 'MemberRemoved', data: { user, membership } }));
}

function requireAdmin(state: OpenRoster, by: string): void {
  if (!state.admins.includes(by)) throw new AppError('forbidden');
}

function keepAnAdmin(state: OpenRoster, leaving: string, field: string): void {
  if (isLastAdmin(state, leaving)) throw blaming('last_admin', field);
}
