import {
  memberRoles,
  referTo,
  type MemberRole,
  type TeamPermission,
  type UserPermission,
} from '@scriptorium/contracts';
import { countUpTo, pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { knownTeams } from './known-team.projection.js';
import { resolveLevel, type Level, type NodeGrants } from './level.js';
import { membershipKey, memberships } from './membership.projection.js';
import { teamSeats } from './team-seat.projection.js';

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
function userShown([user, level]: GrantListed): UserPermission {
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
  const sorted = listed.toSorted(byHolder);
  return pageBy<GrantListed>(cursors, {
    binding: { operation: filter.operation, scope: { id, role: filter.role }, sort: 'id', order: 'asc' },
    request: filter,
    isCounted: true,
    count: () => sorted.length,
    fetch: (limit, after) => sorted.filter(([holder]) => after === undefined || holder > after[1]).slice(0, limit),
    keysOf: ([holder]) => [holder, holder],
  });
}

const byHolder = ([a]: GrantListed, [b]: GrantListed): number => (a < b ? -1 : 1);

/** No access is a level that is shown as such. */
function levelShown(level: Level): { permission: MemberRole } | { access: 'none' } {
  return level === null ? { access: 'none' } : { permission: level };
}

/** The ids of those of these teams that the organization has. */
export async function findTeams(
  { store }: Pick<Scope, 'store'>,
  organization: string,
  teams: readonly string[],
): Promise<ReadonlySet<string>> {
  const docs = await store.read(knownTeams).byIds(teams);
  return new Set(docs.filter((team) => team.organization === organization).map(({ _id }) => _id));
}

/** A thing whose members with access are listed. `chain`: the grants of it first, then those of what it is in. */
type Chained = Granting & { readonly chain: readonly NodeGrants[] };

/**
 * A page of the members who have access to the node, by whatever way, each with their level; by id of the user. `role`
 * of the filter keeps those of one level. Members whom no grant concerns have the level that follows from their role,
 * so the database finds, counts and pages them by it; only those whom grants name are read as a whole.
 */
export async function levelPage(scope: Scope, node: Chained, filter: GrantFilter): Promise<Page<UserPermission>> {
  const isListed = (level: Level): level is MemberRole =>
    level !== null && (filter.role === undefined || filter.role === level);
  const byGrant = await levelsByGrant(scope, node);
  const named = byGrant.filter(([, level]) => isListed(level)).sort(byHolder);
  const levels = new Map(
    [...memberRoles, null]
      .map((role) => [role, levelOfRole(node, role)] as const)
      .filter(([, level]) => isListed(level)),
  );
  const model = scope.store.read(memberships);
  const names = byGrant.map(([user]) => user);
  const others = (after = '') => ({
    organization: node.organization,
    disabled: false,
    role: { $in: [...levels.keys()] },
    user: { $gt: after, $nin: names },
  });
  const { id } = node;
  const page = await pageBy<GrantListed>(scope.cursors, {
    binding: { operation: filter.operation, scope: { id, role: filter.role }, sort: 'id', order: 'asc' },
    request: filter,
    count: async () => named.length + (await countUpTo(model, others())),
    async fetch(limit, after) {
      const found = await model.find(others(after?.[1])).sort({ user: 1 }).limit(limit).toArray();
      const listed = found.map(({ user, role }): GrantListed => [user, levels.get(role) ?? null]);
      const next = named.filter(([user]) => after === undefined || user > after[1]).slice(0, limit);
      return [...listed, ...next].sort(byHolder).slice(0, limit);
    },
    keysOf: ([user]) => [user, user],
  });
  return { ...page, items: page.items.map(userShown) };
}

/** The level of members whom no grant concerns. */
function levelOfRole({ chain }: Chained, role: MemberRole | null): Level {
  return resolveLevel({ user: '', membership: '', role, teams: [] }, chain);
}

/** The levels of all members whom a grant of the chain names, by themselves or by a team. */
async function levelsByGrant({ store }: Scope, { organization, chain }: Chained): Promise<GrantListed[]> {
  const teams = [...new Set(chain.flatMap((node) => [...node.teams.keys()]))];
  const seats =
    teams.length === 0
      ? []
      : await store
          .read(teamSeats)
          .find({ organization, team: { $in: teams } })
          .toArray();
  const teamsOf = new Map<string, string[]>();
  for (const { user, team, membership } of seats) {
    const key = membershipKey(membership, user);
    teamsOf.set(key, [...(teamsOf.get(key) ?? []), team]);
  }
  const users = new Set([...chain.flatMap((node) => [...node.users.keys()]), ...seats.map(({ user }) => user)]);
  const members = await store.read(memberships).byIds([...users].map((user) => membershipKey(organization, user)));
  return members
    .filter(({ disabled }) => !disabled)
    .map(({ user, membership, role }) => {
      const own = teamsOf.get(membershipKey(membership, user)) ?? [];
      return [user, resolveLevel({ user, membership, role, teams: own }, chain)];
    });
}
