import { findTeams, membershipKey, memberships, resolveLevel, teamSeats, type Level } from '@scriptorium/access';
import { referTo, type MemberRole, type TeamPermission, type UserPermission } from '@scriptorium/contracts';
import { pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { levelsOf, type SiteGrants } from '../model/index.js';
import { presentStays } from './holders.queries.js';

/** A site whose grants are listed. */
interface Granting {
  id: string;
  organization: string;
  grants: SiteGrants;
}
type Filter = PageRequest & { operation: string; role?: MemberRole | undefined };
type Listed = readonly [holder: string, level: Level];

/** What was granted to users, by id of the user. Grants of stays that have ended are not there. */
export async function listUserGrants(scope: Scope, site: Granting, filter: Filter): Promise<Page<UserPermission>> {
  const { users } = site.grants;
  const present = await presentStays(
    scope,
    site.organization,
    users.map(({ user }) => user),
  );
  const counting = users.filter(({ user, membership }) => present.get(user) === membership);
  return userPage(
    scope,
    site,
    counting.map(({ user, level }) => [user, level]),
    filter,
  );
}

/** What was granted to teams, by id of the team. */
export async function listTeamGrants(scope: Scope, site: Granting, filter: Filter): Promise<Page<TeamPermission>> {
  const { teams } = site.grants;
  const known = await findTeams(
    scope,
    site.organization,
    teams.map(({ team }) => team),
  );
  const listed = teams.filter(({ team }) => known.has(team)).map(({ team, level }): Listed => [team, level]);
  const page = await pageOf(scope, site, listed, filter);
  return { ...page, items: page.items.map(([team, level]) => ({ ...levelShown(level), team: referTo('team', team) })) };
}

/** The members who have access to the site, each with their level; by id of the user. */
export async function listLevels(scope: Scope, site: Granting, filter: Filter): Promise<Page<UserPermission>> {
  const { organization, grants } = site;
  const { store } = scope;
  const levels = levelsOf(grants);
  const teamsOf = new Map<string, string[]>();
  if (levels.teams.size > 0)
    for await (const { user, team, membership } of store.read(teamSeats).find({ organization })) {
      const key = membershipKey(membership, user);
      teamsOf.set(key, [...(teamsOf.get(key) ?? []), team]);
    }
  const listed: Listed[] = [];
  for await (const { user, membership, role, disabled } of store.read(memberships).find({ organization })) {
    if (disabled) continue;
    const teams = teamsOf.get(membershipKey(membership, user)) ?? [];
    const level = resolveLevel({ user, membership, role, teams }, [levels]);
    if (level !== null && (filter.role === undefined || filter.role === level)) listed.push([user, level]);
  }
  return userPage(scope, site, listed, filter);
}

async function userPage(
  scope: Scope,
  site: Granting,
  listed: readonly Listed[],
  filter: Filter,
): Promise<Page<UserPermission>> {
  const page = await pageOf(scope, site, listed, filter);
  return { ...page, items: page.items.map(([user, level]) => ({ ...levelShown(level), user: referTo('user', user) })) };
}

function pageOf(
  { cursors }: Scope,
  { id }: Granting,
  listed: readonly Listed[],
  filter: Filter,
): Promise<Page<Listed>> {
  const sorted = listed.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return pageBy<Listed>(cursors, {
    binding: { operation: filter.operation, scope: { id, role: filter.role }, sort: 'id', order: 'asc' },
    request: filter,
    isCounted: true,
    count: () => sorted.length,
    fetch: (limit, after) => sorted.filter(([holder]) => after === undefined || holder > after[1]).slice(0, limit),
    keysOf: ([holder]) => [holder, holder],
  });
}

/** No access is a level that is shown as such. */
function levelShown(level: Level): { permission: MemberRole } | { access: 'none' } {
  return level === null ? { access: 'none' } : { permission: level };
}
