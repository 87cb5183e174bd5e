import { findTeams, membershipKey, memberships } from '@scriptorium/access';
import { AppError, type ErrorDetail } from '@scriptorium/contracts';
import { keyed, type Scope } from '@scriptorium/platform';

/** A member in their present stay in the organization. */
export interface KnownMember {
  user: string;
  membership: string;
}

/** Members of an organization by user id. Others are left out. */
export async function findMembers(
  { store }: Pick<Scope, 'store'>,
  organization: string,
  users: readonly string[],
): Promise<ReadonlyMap<string, KnownMember>> {
  const docs = await store.read(memberships).byIds(users.map((user) => membershipKey(organization, user)));
  return new Map(docs.map(({ user, membership }) => [user, { user, membership }]));
}

/**
 * Members and teams whom a request names. @throws AppError `not_found` naming those that the organization does not have
 */
export async function requireHolders(
  scope: Pick<Scope, 'store'>,
  organization: string,
  { users = [], teams = [] }: { users?: readonly string[] | undefined; teams?: readonly string[] | undefined },
): Promise<(KnownMember | { team: string })[]> {
  const [members, known] = await Promise.all([
    findMembers(scope, organization, users),
    findTeams(scope, organization, teams),
  ]);
  const missing: ErrorDetail[] = [
    ...users.flatMap((user, i) =>
      members.has(user) ? [] : [{ path: `body.users[${i}]`, message: `${user} is not a member of the organization` }],
    ),
    ...teams.flatMap((team, i) =>
      known.has(team) ? [] : [{ path: `body.teams[${i}]`, message: `${team} is not a team of the organization` }],
    ),
  ];
  const [first] = missing;
  if (first !== undefined) throw new AppError('not_found', missing, { message: `${first.path}: ${first.message}` });
  return [...members.values(), ...[...known].map((team) => ({ team }))];
}

/** Whether these stays in an organization go on, by user. */
export async function presentStays(
  { store }: Pick<Scope, 'store'>,
  organization: string,
  stays: readonly KnownMember[],
): Promise<ReadonlySet<string>> {
  const docs = keyed(await store.read(memberships).byIds(stays.map(({ user }) => membershipKey(organization, user))));
  return new Set(
    stays
      .filter(({ user, membership }) => docs.get(membershipKey(organization, user))?.membership === membership)
      .map(({ user }) => user),
  );
}
