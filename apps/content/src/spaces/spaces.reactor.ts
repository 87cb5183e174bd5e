import type { ServiceAccess } from '@scriptorium/access';
import { rosterEventSchemas, teamEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor } from '@scriptorium/event-sourcing';
import { spaceEvents } from '../events/index.js';
import { endGrantsOfStay, endGrantsOfTeam, endLateGrant, type EndingGrants } from '../grants/index.js';
import { library, nodeIn, purgeNext } from '../library/index.js';
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

/** A space that was created at the moment in which its organization was deleted is removed with it. */
export const lateSpacesReactor: Reactor = reactor({
  name: 'spaces_of_closed_libraries',
  entities: ['space'],
  events: [spaceEvents.pick('SpaceCreated')],
  react: async ({ entityId: id, data: { organization } }, store) => {
    const known = await store.load(library, organization);
    if (!known.closed || nodeIn(known, id) !== undefined) return;
    await purgeNext(store.in(organization), organization, () => [{ id, kind: 'space' }]);
  },
});
