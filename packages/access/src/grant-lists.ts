import { referTo, type MemberRole, type TeamPermission, type UserPermission } from '@scriptorium/contracts';
import { pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { findTeams } from './find-teams.js';
import type { Level } from './level.js';

/** A thing of an organization on which levels are granted. */
export interface Granting {
  readonly id: string;
  readonly organization: string;
}
/** `operation`: that of the request; a cursor is valid for it alone. */
export type GrantFilter = PageRequest & { operation: string; role?: MemberRole | undefined };
/** The user or team, and the level. */
export type GrantListed = readonly [holder: string, level: Level];

/** A page of users and their levels, by id of the user. */
export async function userGrantPage(
  scope: Scope,
  node: Granting,
  listed: readonly GrantListed[],
  filter: GrantFilter,
): Promise<Page<UserPermission>> {
  const page = await pageOf(scope, node, listed, filter);
  return { ...page, items: page.items.map(userShown) };
}

/** A user with their level. */
export function userShown([user, level]: GrantListed): UserPermission {
  return { ...levelShown(level), user: referTo('user', user) };
}

/** A page of teams and their levels, by id of the team. Teams that the organization does not have are left out. */
export async function teamGrantPage(
  scope: Scope,
  node: Granting,
  listed: readonly GrantListed[],
  filter: GrantFilter,
): Promise<Page<TeamPermission>> {
  const known = await findTeams(
    scope,
    node.organization,
    listed.map(([team]) => team),
  );
  const present = listed.filter(([team]) => known.has(team));
  const page = await pageOf(scope, node, present, filter);
  return { ...page, items: page.items.map(([team, level]) => ({ ...levelShown(level), team: referTo('team', team) })) };
}

function pageOf(
  { cursors }: Scope,
  { id }: Granting,
  listed: readonly GrantListed[],
  filter: GrantFilter,
): Promise<Page<GrantListed>> {
  const sorted = listed.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return pageBy<GrantListed>(cursors, {
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
