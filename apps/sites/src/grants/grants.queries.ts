import { teamGrantPage, userGrantPage, type GrantFilter, type Granting } from '@scriptorium/access';
import type { TeamPermission, UserPermission } from '@scriptorium/contracts';
import type { Page, Scope } from '@scriptorium/platform';
import type { SiteGrants } from '../model/index.js';
import { presentStays } from './holders.queries.js';

/** A site whose grants are listed. */
type GrantingSite = Granting & { grants: SiteGrants };

/** What was granted to users, by id of the user. Grants of stays that have ended are not there. */
export async function listUserGrants(
  scope: Scope,
  site: GrantingSite,
  filter: GrantFilter,
): Promise<Page<UserPermission>> {
  const { users } = site.grants;
  const present = await presentStays(
    scope,
    site.organization,
    users.map(({ user }) => user),
  );
  const counting = users.filter(({ user, membership }) => present.get(user) === membership);
  return userGrantPage(
    scope,
    site,
    counting.map(({ user, level }) => [user, level]),
    filter,
  );
}

/** What was granted to teams, by id of the team. */
export function listTeamGrants(scope: Scope, site: GrantingSite, filter: GrantFilter): Promise<Page<TeamPermission>> {
  return teamGrantPage(
    scope,
    site,
    site.grants.teams.map(({ team, level }) => [team, level]),
    filter,
  );
}
