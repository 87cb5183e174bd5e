import type { ServiceAccess } from '@scriptorium/access';
import { rosterEventSchemas, teamEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor } from '@scriptorium/event-sourcing';
import { collectionEvents } from '../events/index.js';
import { endGrantsOfStay, endGrantsOfTeam, endLateGrant, type EndingGrants } from '../grants/index.js';
import { lookAfterNew } from '../library/index.js';
import { changeGrants, collection } from './collection.js';

const ending: EndingGrants = {
  kind: 'collection',
  given: { user: 'CollectionUserGrantGiven', team: 'CollectionTeamGrantGiven' },
  remove: (store, id, decide) =>
    store.handle(collection, id, (state) => (state.status === 'absent' ? [] : changeGrants(state, decide))),
};

/** Whoever left an organization loses what collections granted them. */
export function removedMembersReactor(access: ServiceAccess): Reactor {
  return reactor({
    name: 'collection_grants_of_removed_members',
    entities: ['identity.roster'],
    events: [defineEvents(rosterEventSchemas).pick('MemberRemoved')],
    react: ({ entityId: organization, position, data: stay }, store) =>
      endGrantsOfStay(ending, access, store, { organization, position, stay }),
  });
}

/** A deleted team loses what collections granted it. */
export function deletedTeamsReactor(access: ServiceAccess): Reactor {
  return reactor({
    name: 'collection_grants_of_deleted_teams',
    entities: ['identity.team'],
    events: [defineEvents(teamEventSchemas).pick('TeamDeleted')],
    react: ({ entityId: team, position, meta }, store) =>
      endGrantsOfTeam(ending, access, store, { organization: meta.organization ?? '', position, team }),
  });
}

/** What was granted at the moment in which the member left, or the team was deleted. */
export const lateGrantsReactor: Reactor = reactor({
  name: 'late_collection_grants',
  entities: ['collection'],
  events: [collectionEvents.pick('CollectionUserGrantGiven', 'CollectionTeamGrantGiven')],
  react: ({ entityId: id, data: to, meta }, store) =>
    endLateGrant(ending, store, { id, organization: meta.organization ?? '', to }),
});

/** A collection that the library never got, or that was created at the moment in which its organization was deleted, is removed. */
export const newCollectionsReactor: Reactor = reactor({
  name: 'new_collections',
  entities: ['collection'],
  events: [collectionEvents.pick('CollectionCreated')],
  react: ({ entityId: id, data: { organization }, meta }, store) =>
    lookAfterNew(store, { organization, id, kind: 'collection' }, meta.time),
});
