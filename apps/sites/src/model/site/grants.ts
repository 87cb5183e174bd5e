import type { Level, NodeGrants } from '@scriptorium/access';
import type { SiteEvent } from '../site.events.js';

/** What a site grants to users and teams. */
export interface SiteGrants {
  /** `membership`: the stay in the organization for which it was given. */
  users: readonly { user: string; membership: string; level: Level }[];
  teams: readonly { team: string; level: Level }[];
}

export const noGrants: SiteGrants = { users: [], teams: [] };

/** The grants of a site after an event. The same object, if nothing changes. */
export function grantsAfter(grants: SiteGrants, event: SiteEvent): SiteGrants {
  const { users, teams } = grants;
  switch (event.type) {
    case 'SiteUserGrantGiven':
      return { users: [...users.filter(({ user }) => user !== event.data.user), event.data], teams };
    case 'SiteUserGrantRemoved':
      return { users: users.filter(({ user }) => user !== event.data.user), teams };
    case 'SiteTeamGrantGiven':
      return { users, teams: [...teams.filter(({ team }) => team !== event.data.team), event.data] };
    case 'SiteTeamGrantRemoved':
      return { users, teams: teams.filter(({ team }) => team !== event.data.team) };
    default:
      return grants;
  }
}

/** What a site grants, in the form in which levels are resolved. Members without a grant have their role. */
export function levelsOf({ users, teams }: SiteGrants): NodeGrants {
  return {
    defaultLevel: 'inherit',
    users: new Map(users.map(({ user, membership, level }) => [user, { membership, level }])),
    teams: new Map(teams.map(({ team, level }) => [team, level])),
  };
}
