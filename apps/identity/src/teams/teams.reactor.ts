import { waitForProjections } from '@scriptorium/platform';
import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { organizationEvents, rosterEvents, teamEvents } from '../events/index.js';
import { organizations } from '../organization-read-models/index.js';
import { teams } from './team.projection.js';
import { endTeamMemberships } from './end-team-memberships.process.js';
import { remove, team } from './team.js';

/** Removes people who left an organization from its teams, also when the process that removed them stopped halfway. */
export const removedMembersReactor: Reactor = reactor({
  name: 'teams_of_removed_members',
  version: 1,
  entities: ['identity.roster'],
  events: [rosterEvents.pick('MemberRemoved')],
  react: (event, store) => endTeamMemberships({ store }, event.data),
});

/** Deletes the teams of a deleted organization. Teams that are created later are deleted by the reactor below. */
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

/** Deletes a team that was created while its organization was being deleted. */
export const lateTeamsReactor: Reactor = reactor({
  name: 'teams_of_deleted_organizations',
  version: 1,
  from: 'now',
  entities: ['identity.team'],
  events: [teamEvents.pick('TeamCreated')],
  async react(event, store) {
    // The read model rather than the stream of the organization, which each new team would have read from the log.
    await waitForProjections({ store }, event, [organizations]);
    const found = await store.read(organizations).byId(event.data.organization);
    if (found === null) await store.handle(team, event.entityId, remove);
  },
});
