import { AppError, blaming, limitReached, type TeamRole } from '@scriptorium/contracts';
import {
  defineAggregate,
  emptyKeyed,
  keyedDrop,
  keyedGet,
  keyedPut,
  unchanged,
  type Keyed,
} from '@scriptorium/event-sourcing';
import { type TeamEvent, teamEvents } from '../events/index.js';

interface Membership {
  role: TeamRole;
  /** Id of the membership in the organization with which they joined the team. */
  membership: string;
}

export interface ActiveTeam {
  status: 'active';
  organization: string;
  title: string;
  members: Keyed<Membership>;
}

export type Team = { status: 'absent' } | { status: 'deleted' } | ActiveTeam;

/** The user who changes a team: an admin of the organization, or somebody who needs to be an owner of the team. */
export interface Manager {
  user: string;
  admin: boolean;
}

export interface Candidate {
  user: string;
  membership: string;
  /** If absent, a member keeps their role, and a new one gets `member`. */
  role?: TeamRole | undefined;
}

function evolve(state: Team, event: TeamEvent): Team {
  if (event.type === 'TeamCreated') return { status: 'active', ...event.data, members: emptyKeyed };
  if (state.status !== 'active') return state;
  switch (event.type) {
    case 'TeamRenamed':
      return { ...state, title: event.data.title };
    case 'TeamMemberAdded': {
      const { user, ...membership } = event.data;
      return { ...state, members: keyedPut(state.members, user, membership) };
    }
    case 'TeamMemberRoleChanged': {
      const { user, role } = event.data;
      const present = keyedGet(state.members, user);
      return present === undefined ? state : { ...state, members: keyedPut(state.members, user, { ...present, role }) };
    }
    case 'TeamMemberRemoved':
      return { ...state, members: keyedDrop(state.members, event.data.user) };
    case 'TeamDeleted':
      return { status: 'deleted' };
    default:
      return unchanged(state, event);
  }
}

export const team = defineAggregate({
  service: 'identity',
  entity: 'team',
  events: teamEvents,
  initial: { status: 'absent' },
  evolve,
});

/** Creates a team. `limit`: the most members of a team. */
export function create(
  state: Team,
  input: { organization: string; title: string; members: readonly Candidate[]; limit: number },
): TeamEvent[] {
  if (state.status !== 'absent') throw new AppError('already_exists');
  const { organization, title, members, limit } = input;
  checkMemberLimit(members.length, limit);
  return [
    { type: 'TeamCreated', data: { organization, title } },
    ...members.map(({ user, membership, role = 'member' }) => added(user, membership, role)),
  ];
}

export function rename(state: Team, input: { title: string; by: Manager }): TeamEvent[] {
  const active = requireManager(state, input.by);
  return active.title === input.title ? [] : [{ type: 'TeamRenamed', data: { title: input.title } }];
}

/**
 * Adds, changes and removes members. Somebody who is both added and removed is removed. Only admins make owners.
 * `roles`: the field of the request that names roles.
 */
export function changeMembers(
  state: Team,
  input: { put: readonly Candidate[]; remove: readonly string[]; by: Manager; limit: number; roles?: string },
): TeamEvent[] {
  const active = requireManager(state, input.by);
  const leaving = new Set(input.remove);
  const events = [
    ...input.put.filter(({ user }) => !leaving.has(user)).flatMap((candidate) => putEvents(active, candidate, input)),
    ...[...leaving].flatMap((user) => removal(active, user)),
  ];
  const count = (wanted: TeamEvent['type']) => events.filter(({ type }) => type === wanted).length;
  const more = count('TeamMemberAdded') - count('TeamMemberRemoved');
  // A lowered limit must not prevent that members of a larger team are changed or removed.
  if (more > 0) checkMemberLimit(active.members.size + more, input.limit);
  return events;
}

/** Removes a member, on behalf of the member or of somebody who manages the team. */
export function removeMember(state: Team, input: { user: string; by: Manager }): TeamEvent[] {
  if (state.status !== 'active') return [];
  if (input.by.user !== input.user) requireManager(state, input.by);
  return removal(state, input.user);
}

/** Ends a team membership together with the membership in the organization with which it began. */
export function endMembership(state: Team, input: { user: string; membership: string }): TeamEvent[] {
  if (state.status !== 'active' || keyedGet(state.members, input.user)?.membership !== input.membership) return [];
  return removal(state, input.user);
}

export function remove(state: Team): TeamEvent[] {
  return state.status === 'active' ? [{ type: 'TeamDeleted', data: {} }] : [];
}

function putEvents(
  state: ActiveTeam,
  { user, membership, role }: Candidate,
  { by, roles = 'body.role' }: { by: Manager; roles?: string },
): TeamEvent[] {
  const present = keyedGet(state.members, user);
  const known = present?.membership === membership ? present : undefined;
  const next = role ?? known?.role ?? 'member';
  if (next === known?.role) return [];
  if (next === 'owner' && !by.admin)
    throw blaming('forbidden', roles, 'Only admins of the organization can make team owners');
  // A team membership left from an earlier membership in the organization ends first, so that nobody is counted twice.
  return known === undefined
    ? [...removal(state, user), added(user, membership, next)]
    : [{ type: 'TeamMemberRoleChanged', data: { user, role: next } }];
}

function added(user: string, membership: string, role: TeamRole): TeamEvent {
  return { type: 'TeamMemberAdded', data: { user, membership, role } };
}

function removal(state: ActiveTeam, user: string): TeamEvent[] {
  const present = keyedGet(state.members, user);
  return present === undefined ? [] : [{ type: 'TeamMemberRemoved', data: { user, membership: present.membership } }];
}

function requireManager(state: Team, by: Manager): ActiveTeam {
  if (state.status !== 'active') throw new AppError('not_found');
  if (!by.admin && keyedGet(state.members, by.user)?.role !== 'owner')
    throw new AppError('forbidden', [], {
      message: 'You must own the team or have the level `admin` on the organization',
    });
  return state;
}

function checkMemberLimit(size: number, limit: number): void {
  if (size > limit) throw limitReached('membersPerTeam', limit);
}
