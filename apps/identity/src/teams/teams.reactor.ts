import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { organizationEvents, rosterEvents, teamEvents } from '../events/index.js';
import { isDeleted } from '../organizations/index.js';
import { teams } from '../read-models/index.js';
import { waitForProjections } from '../shared/index.js';
import { endTeamMemberships } from './end-team-memberships.process.js';
import { remove, team } from './team.js';

/** Whoever left an organization leaves its teams, also when the process that removed them ended in between. */
export const removedMembersReactor: Reactor = reactor({
  name: 'teams_of_removed_members',
  version: 1,
  entities: ['identity.roster'],
  events: [rosterEvents.pick('MemberRemoved')],
  react: (event, store) => endTeamMemberships({ store }, event.data),
});

/** Deletes the teams of a deleted organization. Teams that are created after its deletion are found by their own event. */
export const deletedOrganizationsReactor: Reactor = reactor({
  name: 'teams_after_organization_deletion',
  version: 1,
  entities: ['identity.organization'],
  events: [organizationEvents.pick('OrganizationDeleted')],
  async react({ entityId, position }, store) {
    await waitForProjections({ store }, { position, type: 'TeamCreated' }, [teams]);
    for await (const { _id } of store.read(teams).find({ organization: entityId }))
      await store.handle(team, _id, remove);
  },
});

/** Deletes a team that was created at the moment in which its organization was deleted. */
export const lateTeamsReactor: Reactor = reactor({
  name: 'teams_of_deleted_organizations',
  version: 1,
  from: 'now',
  entities: ['identity.team'],
  events: [teamEvents.pick('TeamCreated')],
  async react(event, store) {
    if (await isDeleted({ store }, event.data.organization)) await store.handle(team, event.entityId, remove);
  },
});
