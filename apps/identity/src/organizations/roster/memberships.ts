import { AppError, blaming, lacksLevel, limitReached, type Limits } from '@scriptorium/contracts';
import { keyedEntries, keyedGet, type EventDataOf, type Keyed } from '@scriptorium/event-sourcing';
import type { RosterEvent } from '../../events/index.js';
import {
  isLastAdmin,
  memberOf,
  ownerOf,
  type Identity,
  type OpenRoster,
  type Role,
  type Roster,
  type RosterMember,
} from './roster.js';

type Via = EventDataOf<RosterEvent, 'MemberJoined'>['via'];
type AccountKind = EventDataOf<RosterEvent, 'MemberAccountKindRecorded'>['kind'];

/** Opens the roster of a new organization with its creator as admin. No event when it has been opened. */
export function open(
  state: Roster,
  input: { organization: string; creator: string; membership: string; kind?: AccountKind | undefined },
): RosterEvent[] {
  if (state.status !== 'absent') return [];
  const { organization, creator: user, membership, kind } = input;
  return [
    { type: 'RosterOpened', data: { organization } },
    { type: 'MemberJoined', data: { user, membership, role: 'admin', via: 'creation', ...(kind && { kind }) } },
  ];
}

export interface Joining {
  user: string;
  membership: string;
  role: Role;
  via: Via;
  /** Whether they sign in through a provider of the organization. */
  sso?: true | undefined;
  /** An admin adds them without their agreement. */
  unaccepted?: true | undefined;
  /** The kind of their account, if it is known. */
  kind?: AccountKind | undefined;
  /** The number of organizations that they are already in. */
  organizations: number;
}

export interface Joinings {
  people: readonly Joining[];
  limits: Pick<Limits, 'membersPerOrganization' | 'organizationsPerUser'>;
  /** The admin who adds them. */
  by?: string | undefined;
}

/**
 * Makes people members, all or none. No event for those who are members already.
 * @throws AppError `forbidden` for a disabled member who joins by a link or domain
 */
export function join(state: Roster, input: Joinings): RosterEvent[] {
  if (state.status !== 'open') throw new AppError('not_found');
  if (input.by !== undefined) requireAdmin(state, input.by);
  const { members } = state;
  const { membersPerOrganization, organizationsPerUser } = input.limits;
  for (const { user, via } of input.people)
    if (via === 'link' || via === 'domain') refuseDisabled(memberOf(state, user));
  const joining = input.people.filter(({ user }) => keyedGet(members, user) === undefined);
  if (joining.length > 0 && members.size + joining.length > membersPerOrganization)
    throw limitReached('membersPerOrganization', membersPerOrganization);
  if (joining.some(({ organizations }) => organizations >= organizationsPerUser)) {
    throw limitReached('organizationsPerUser', organizationsPerUser);
  }
  return joining.map(({ organizations: _, kind, ...data }) => ({
    type: 'MemberJoined',
    data: { ...data, ...(kind && { kind }) },
  }));
}

/**
 * Records the account kind of a member whose membership was recorded without it. No event when that membership has
 * ended.
 */
export function recordAccountKind(
  state: Roster,
  input: { user: string; membership: string; kind: AccountKind },
): RosterEvent[] {
  const member = memberOf(state, input.user);
  return member?.membership === input.membership ? [{ type: 'MemberAccountKindRecorded', data: input }] : [];
}

/** Records that a member accepts the membership. No event when they have accepted it, or are no member. */
export function acceptMembership(state: Roster, input: { user: string }): RosterEvent[] {
  const member = memberOf(state, input.user);
  if (member === undefined || member.accepted) return [];
  return [{ type: 'MemberAccepted', data: { user: input.user, membership: member.membership } }];
}

/**
 * Connects an identity at a provider to a person, who becomes a member if they are none. No event when it is connected.
 * `own`: they connect it from a session of their own, or it creates their account; then a member whom an admin added
 * accepts the membership.
 * @throws AppError `already_exists` when the identity belongs to another member, `forbidden` for a disabled member
 */
export function linkIdentity(
  state: Roster,
  input: Identity & { joining: Joining; limits: Joinings['limits']; own: boolean },
): RosterEvent[] {
  const { provider, identity, joining, limits, own } = input;
  const { user } = joining;
  const owner = ownerOf(state, { provider, identity });
  if (owner !== undefined && owner !== user) throw new AppError('already_exists');
  const member = memberOf(state, user);
  refuseDisabled(member);
  const joined = join(state, { people: [joining], limits });
  const isLinked = owner === user && (!own || member?.ownProviders.includes(provider) === true);
  return [
    ...joined,
    ...(own ? acceptMembership(state, { user }) : []),
    ...(isLinked ? [] : [{ type: 'MemberIdentityLinked' as const, data: { user, provider, identity, own } }]),
  ];
}

export function changeRole(state: Roster, input: { user: string; role: Role; by: string }): RosterEvent[] {
  const member = memberOf(state, input.user);
  if (state.status !== 'open' || member === undefined) throw new AppError('not_found');
  requireAdmin(state, input.by);
  if (member.role === input.role) return [];
  if (input.role !== 'admin') refuseLastAdmin(state, input.user, 'body.role');
  return [{ type: 'MemberRoleChanged', data: { user: input.user, role: input.role } }];
}

/** Disables a member, who then has no access to the organization, or enables them again. */
export function setDisabled(state: Roster, input: { user: string; disabled: boolean; by: string }): RosterEvent[] {
  const { user, disabled, by } = input;
  const member = memberOf(state, user);
  if (state.status !== 'open' || member === undefined) throw new AppError('not_found');
  requireAdmin(state, by);
  if (member.disabled === disabled) return [];
  if (!disabled) return [{ type: 'MemberEnabled', data: { user } }];
  refuseLastAdmin(state, user, 'body.disabled');
  return [{ type: 'MemberDisabled', data: { user } }];
}

/** Marks a member for single sign-on. `available`: the organization has an active provider. */
export function markForSSO(state: Roster, input: { user: string; by: string; available: boolean }): RosterEvent[] {
  const member = memberOf(state, input.user);
  if (state.status !== 'open' || member === undefined) throw new AppError('not_found');
  requireAdmin(state, input.by);
  if (!input.available) throw blaming('sso_unavailable', 'params.organizationId');
  return member.sso ? [] : [{ type: 'MemberMarkedForSSO', data: { user: input.user } }];
}

/** Removes a member, on behalf of an admin or the member. No event when there is no such member. */
export function removeMember(state: Roster, input: { user: string; by: string }): RosterEvent[] {
  const member = memberOf(state, input.user);
  if (state.status !== 'open' || member === undefined) return [];
  if (input.by !== input.user) requireAdmin(state, input.by);
  refuseLastAdmin(state, input.user, 'params.userId');
  return [{ type: 'MemberRemoved', data: { user: input.user, membership: member.membership } }];
}

/** Removes a member on behalf of an operator. No event when there is no such member. */
export function detachMember(state: Roster, input: { user: string }): RosterEvent[] {
  return removeMember(state, { user: input.user, by: input.user });
}

/** The most removals in one append. */
const removalsPerAppend = 500;

/** Ends all memberships, on behalf of an admin who deletes the organization. No event when the roster is closed. */
export function close(state: Roster, input: { by: string }): RosterEvent[] {
  if (state.status !== 'open') return [];
  requireAdmin(state, input.by);
  return [{ type: 'RosterClosed', data: {} }, ...removals(state.members)];
}

/** Records the removal of the next 500 members of a closed roster. No event when none is left. */
export function removeRemainingMembers(state: Roster): RosterEvent[] {
  return state.status === 'closed' ? removals(state.members) : [];
}

function removals(members: Keyed<RosterMember>): RosterEvent[] {
  return keyedEntries(members)
    .slice(0, removalsPerAppend)
    .map(([user, { membership }]) => ({ type: 'MemberRemoved', data: { user, membership } }));
}

function refuseDisabled(member: RosterMember | undefined): void {
  if (member?.disabled === true)
    throw new AppError('forbidden', [], { message: 'An admin of the organization has disabled your membership' });
}

function requireAdmin(state: OpenRoster, by: string): void {
  if (!state.admins.includes(by)) throw lacksLevel('admin', 'organization');
}

function refuseLastAdmin(state: OpenRoster, leaving: string, field: string): void {
  if (isLastAdmin(state, leaving)) throw blaming('last_admin', field);
}
