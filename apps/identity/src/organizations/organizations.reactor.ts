import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import type { LastSeen } from '../members/last-seen.operational.js';
import { rosterEvents } from '../members/roster.events.js';
import { teamEvents } from '../teams/team.events.js';
import { remove as removeTeam, team } from '../teams/team.js';
import { clearOrganization, deleteOrganization, isDeleted } from './delete-organization.process.js';
import { openRoster } from './found-organization.process.js';
import { organizationEvents } from './organization.events.js';

/** Opens the roster of a new organization if the process that founded it could not. */
export function rosterReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'roster_of_new_organizations',
    version: 1,
    entities: ['identity.organization'],
    events: [organizationEvents.pick('OrganizationCreated')],
    react: (event, { context: command }) =>
      openRoster(context, { organization: event.entityId, creator: event.data.createdBy }, command),
  });
}

/** Finishes the deletion of an organization, which began with its roster. */
export function deletionsReactor(service: ServiceContext, lastSeen: LastSeen): Reactor {
  return reactor({
    name: 'deleted_organizations',
    version: 1,
    entities: ['identity.roster'],
    events: [rosterEvents.pick('RosterClosed')],
    async react(event, { context }) {
      const deleted = await deleteOrganization(service, event.entityId, context);
      await clearOrganization({ context: service, lastSeen }, event.entityId, deleted, context);
    },
  });
}

/** Deletes a team that was created at the moment in which its organization was deleted. */
export function lateTeamsReactor(service: ServiceContext): Reactor {
  return reactor({
    name: 'teams_of_deleted_organizations',
    version: 1,
    from: 'now',
    entities: ['identity.team'],
    events: [teamEvents.pick('TeamCreated')],
    async react(event, reaction) {
      if (await isDeleted(service, event.data.organization)) await reaction.handle(team, event.entityId, removeTeam);
    },
  });
}
