import {
  findTeams,
  memberships,
  membershipKey,
  resolveLevel,
  teamSeats,
  type Level,
  type NodeGrants,
} from '@scriptorium/access';
import { referTo, type MemberRole, type TeamPermission, type UserPermission } from '@scriptorium/contracts';
import { pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { presentStays } from '../directory/index.js';

/** A space or collection whose grants are listed: `chain` begins with what it grants itself. */
interface Granting {
  id: string;
  organization: string;
  chain: readonly NodeGrants[];
}

type Filter = PageRequest & { operation: string };
type Listed = readonly [holder: string, level: Level];

/** What was granted to users on the node itself, by id of the user. Grants of stays that have ended are not there. */
export async function listUserGrants(scope: Scope, node: Granting, filter: Filter): Promise<Page<UserPermission>> {
  const grants = [...(node.chain[0]?.users ?? [])];
  const stays = grants.map(([user, { membership }]) => ({ user, membership }));
  const present = await presentStays(scope, node.organization, stays);
  const listed = grants.flatMap(([user, { level }]): Listed[] => (present.has(user) ? [[user, level]] : []));
  return userPage(scope, node, listed, filter);
}

/** What was granted to teams on the node itself, by id of the team. */
export async function listTeamGrants(scope: Scope, node: Granting, filter: Filter): Promise<Page<TeamPermission>> {
  const grants = [...(node.chain[0]?.teams ?? [])];
  const known = await findTeams(
    scope,
    node.organization,
    grants.map(([team]) => team),
  );
  const page = await pageOf(
    scope,
    node,
    grants.filter(([team]) => known.has(team)),
    filter,
  );
  return { ...page, items: page.items.map(([team, level]) => ({ ...levelShown(level), team: referTo('team', team) })) };
}

/** The members who have access to the node, by whatever way, each with their level; by id of the user. */
export async function listLevels(
  scope: Scope,
  node: Granting,
  filter: Filter & { role?: MemberRole | undefined },
): Promise<Page<UserPermission>> {
  const { organization, chain } = node;
  const { store } = scope;
  const teamsOf = new Map<string, string[]>();
  if (chain.some(({ teams }) => teams.size > 0))
    for await (const { user, team, membership } of store.read(teamSeats).find({ organization })) {
      const key = membershipKey(membership, user);
      teamsOf.set(key, [...(teamsOf.get(key) ?? []), team]);
    }
  const listed: Listed[] = [];
  for await (const { user, membership, role, disabled } of store.read(memberships).find({ organization })) {
    if (disabled) continue;
    const teams = teamsOf.get(membershipKey(membership, user)) ?? [];
    const level = resolveLevel({ user, membership, role, teams }, chain);
    if (level !== null && (filter.role === undefined || filter.role === level)) listed.push([user, level]);
  }
  return userPage(scope, node, listed, filter);
}

async function userPage(
  scope: Scope,
  node: Granting,
  listed: readonly Listed[],
  filter: Filter & { role?: MemberRole | undefined },
): Promise<Page<UserPermission>> {
  const page = await pageOf(scope, node, listed, filter);
  return { ...page, items: page.items.map(([user, level]) => ({ ...levelShown(level), user: referTo('user', user) })) };
}

function pageOf(
  { cursors }: Scope,
  { id }: Granting,
  listed: readonly Listed[],
  filter: Filter & { role?: MemberRole | undefined },
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
