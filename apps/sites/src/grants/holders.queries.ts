import { findTeams, memberships, membershipKey } from '@scriptorium/access';
import { AppError } from '@scriptorium/contracts';
import { keyed, type Scope } from '@scriptorium/platform';
import type { Holder } from './grants.js';

/**
 * Members in their present stay, and teams. @throws AppError `not_found` naming those whom the organization does not
 * have
 */
export async function requireHolders(
  scope: Pick<Scope, 'store'>,
  organization: string,
  { users = [], teams = [] }: { users?: readonly string[] | undefined; teams?: readonly string[] | undefined },
): Promise<Holder[]> {
  const stays = await presentStays(scope, organization, users);
  const known = await findTeams(scope, organization, teams);
  const unknown = [
    ...users.flatMap((user, i) => (stays.has(user) ? [] : [`body.users[${i}]`])),
    ...teams.flatMap((team, i) => (known.has(team) ? [] : [`body.teams[${i}]`])),
  ];
  if (unknown.length > 0)
    throw new AppError(
      'not_found',
      unknown.map((path) => ({ path, message: 'The organization does not have it' })),
    );
  return [
    ...[...new Set(users)].map((user) => ({ user, membership: stays.get(user) ?? '' })),
    ...[...new Set(teams)].map((team) => ({ team })),
  ];
}

/** The present stay of each of these users who is a member. */
export async function presentStays(
  { store }: Pick<Scope, 'store'>,
  organization: string,
  users: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const docs = keyed(await store.read(memberships).byIds(users.map((user) => membershipKey(organization, user))));
  return new Map([...docs.values()].map(({ user, membership }) => [user, membership]));
}
