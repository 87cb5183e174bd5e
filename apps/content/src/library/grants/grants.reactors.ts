import type { ServiceAccess } from '@scriptorium/access';
import {
  collectionEventSchemas,
  linkInviteEventSchemas,
  rosterEventSchemas,
  spaceEventSchemas,
  teamEventSchemas,
  type Limits,
} from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor } from '@scriptorium/event-sourcing';
import { endGrantsOfStay, endGrantsOfTeam, endLateGrant } from './end-grants.process.js';
import { giveByLink } from './give-by-link.process.js';
import type { GrantingKind } from './granting-kind.js';

/**
 * Grants of one kind of node end with the membership or the team that they were given to. Links give them. `limits`:
 * those of the service.
 */
export function grantReactors(
  granting: GrantingKind,
  access: ServiceAccess,
  { grantsPerNode }: Pick<Limits, 'grantsPerNode'>,
): Reactor[] {
  const { kind } = granting;
  return [
    reactor({
      name: `${kind}_grants_of_removed_members`,
      entities: ['identity.roster'],
      events: [defineEvents(rosterEventSchemas).pick('MemberRemoved')],
      react: ({ entityId: organization, position, data: stay }, store) =>
        endGrantsOfStay(granting, access, store, { organization, position, stay }),
    }),
    reactor({
      name: `${kind}_grants_of_deleted_teams`,
      entities: ['identity.team'],
      events: [defineEvents(teamEventSchemas).pick('TeamDeleted')],
      react: ({ entityId: team, position, meta }, store) =>
        endGrantsOfTeam(granting, access, store, { organization: meta.organization ?? '', position, team }),
    }),
    reactor({
      name: `${kind}_grants_by_link`,
      entities: ['identity.links'],
      events: [defineEvents(linkInviteEventSchemas).pick('ContentLinkInviteUsed')],
      react: ({ entityId: organization, position, data }, store) =>
        giveByLink(granting, access, store, { organization, position, ...data }, grantsPerNode),
    }),
    // What was granted at the moment in which the member left, or the team was deleted.
    reactor({
      name: `late_${kind}_grants`,
      entities: [kind],
      events: [given[kind]],
      react: ({ entityId: id, position, data: to, meta }, store) =>
        endLateGrant(granting, store, { id, organization: meta.organization ?? '', position, to }),
    }),
  ];
}

const given = {
  space: defineEvents(spaceEventSchemas).pick('SpaceUserGrantGiven', 'SpaceTeamGrantGiven'),
  collection: defineEvents(collectionEventSchemas).pick('CollectionUserGrantGiven', 'CollectionTeamGrantGiven'),
};
