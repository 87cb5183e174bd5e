import type { ServiceAccess } from '@scriptorium/access';
import { rosterEventSchemas, teamEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor } from '@scriptorium/event-sourcing';
import { spaceEvents } from '../events/index.js';
import { endGrantsOfStay, endGrantsOfTeam, endLateGrant, type EndingGrants } from '../grants/index.js';
import { lookAfterNew } from '../library/index.js';
import { changeGrants, space } from './space.js';

const ending: EndingGrants = {
  kind: 'space',
  given: { user: 'SpaceUserGrantGiven', team: 'SpaceTeamGrantGiven' },
  remove: (store, id, decide) =>
    store
      .within({ space: id })
      .handle(space, id, (state) => (state.status === 'absent' ? [] : changeGrants(state, decide))),
};

/** Whoever left an organization loses what spaces granted them. */
export function removedMembersReactor(access: ServiceAccess): Reactor {
  return reactor({
    name: 'space_grants_of_removed_members',
    entities: ['identity.roster'],
    events: [defineEvents(rosterEventSchemas).pick('MemberRemoved')],
    react: ({ entityId: organization, position, data: stay }, store) =>
      endGrantsOfStay(ending, access, store, { organization, position, stay }),
  });
}

/** A deleted team loses what spaces granted it. */
export function deletedTeamsReactor(access: ServiceAccess): Reactor {
  return reactor({
    name: 'space_grants_of_deleted_teams',
    entities: ['identity.team'],
    events: [defineEvents(teamEventSchemas).pick('TeamDeleted')],
    react: ({ entityId: team, position, meta }, store) =>
      endGrantsOfTeam(ending, access, store, { organization: meta.organization ?? '', position, team }),
  });
}

/** What was granted at the moment in which the member left, or the team was deleted. */
export const lateGrantsReactor: Reactor = reactor({
  name: 'late_space_grants',
  entities: ['space'],
  events: [spaceEvents.pick('SpaceUserGrantGiven', 'SpaceTeamGrantGiven')],
  react: ({ entityId: id, data: to, meta }, store) =>
    endLateGrant(ending, store, { id, organization: meta.organization ?? '', to }),
});

/** A space that the library never got, or that was created at the moment in which its organization was deleted, is removed. */
export const newSpacesReactor: Reactor = reactor({
  name: 'new_spaces',
  entities: ['space'],
  events: [spaceEvents.pick('SpaceCreated')],
  react: ({ entityId: id, data: { organization }, meta }, store) =>
    lookAfterNew(store, { organization, id, kind: 'space' }, meta.time),
});
