import { memberships, membershipKey, nodeAccess, type ServiceAccess } from '@scriptorium/access';
import { AppError, rosterEventSchemas, teamEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor, type StoreScope } from '@scriptorium/event-sourcing';
import { waitForProjections } from '@scriptorium/platform';
import { knownTeams } from '../directory/index.js';
import { spaceEvents } from '../events/index.js';
import { dropStay, dropTeam } from '../grants/index.js';
import { library, nodeIn, purgeNext } from '../library/index.js';
import { changeGrants, space } from './space.js';

/** Whoever left an organization loses what spaces granted them. It does not count any more from the moment they left. */
export function removedMembersReactor(access: ServiceAccess): Reactor {
  return reactor({
    name: 'space_grants_of_removed_members',
    entities: ['identity.roster'],
    events: [defineEvents(rosterEventSchemas).pick('MemberRemoved')],
    react: async ({ entityId: organization, position, data }, store) => {
      await waitForProjections({ store }, { position, type: 'SpaceUserGrantGiven' }, [nodeAccess]);
      const { user } = data;
      const nodes = await access.nodesOf({ store }, organization);
      for (const id of nodes.grantingTo('space', { user }))
        await inSpace(store, organization, id).handle(space, id, (state) =>
          dropped(state, (grants) => dropStay(grants, data)),
        );
    },
  });
}

/** A deleted team loses what spaces granted it. */
export function deletedTeamsReactor(access: ServiceAccess): Reactor {
  return reactor({
    name: 'space_grants_of_deleted_teams',
    entities: ['identity.team'],
    events: [defineEvents(teamEventSchemas).pick('TeamDeleted')],
    react: async ({ entityId: team, position, meta }, store) => {
      const organization = meta.organization ?? '';
      await waitForProjections({ store }, { position, type: 'SpaceTeamGrantGiven' }, [nodeAccess]);
      const nodes = await access.nodesOf({ store }, organization);
      for (const id of nodes.grantingTo('space', { team }))
        await inSpace(store, organization, id).handle(space, id, (state) =>
          dropped(state, (grants) => dropTeam(grants, { team })),
        );
    },
  });
}

/** Removes what was granted at the moment in which the member left, or the team was deleted. */
export const lateGrantsReactor: Reactor = reactor({
  name: 'late_space_grants',
  entities: ['space'],
  events: [spaceEvents.pick('SpaceUserGrantGiven', 'SpaceTeamGrantGiven')],
  react: async (event, store) => {
    const { entityId: id, meta } = event;
    const organization = meta.organization ?? '';
    if (!store.isLive([memberships, knownTeams]))
      throw new AppError('unavailable', [], { message: 'The projections are behind' });
    const here = inSpace(store, organization, id);
    if (event.type === 'SpaceUserGrantGiven') {
      const stay = event.data;
      const member = await store.read(memberships).byId(membershipKey(organization, stay.user));
      if (member?.membership === stay.membership) return;
      await here.handle(space, id, (state) => dropped(state, (grants) => dropStay(grants, stay)));
      return;
    }
    const { team } = event.data;
    if ((await store.read(knownTeams).byId(team)) !== null) return;
    await here.handle(space, id, (state) => dropped(state, (grants) => dropTeam(grants, { team })));
  },
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

function inSpace(store: StoreScope, organization: string, id: string): StoreScope {
  return store.in(organization).within({ space: id });
}

/** Of a space that was purged meanwhile there is nothing to remove. */
function dropped(...[state, decide]: Parameters<typeof changeGrants>): ReturnType<typeof changeGrants> {
  return state.status === 'absent' ? [] : changeGrants(state, decide);
}
