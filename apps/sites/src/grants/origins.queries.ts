import { grantedToUser, memberships, membershipKey, teamSeats } from '@scriptorium/access';
import type { UserSitePermission } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { levelsOf, type SiteGrants } from '../model/index.js';

interface Granting {
  id: string;
  organization: string;
  grants: SiteGrants;
}

/**
 * What gives members their levels on a site, by their ids: a grant of it, or the organization, whose admins need none.
 */
export async function originsOf(
  { store }: Pick<Scope, 'store'>,
  { id: site, organization, grants }: Granting,
  users: readonly string[],
): Promise<ReadonlyMap<string, UserSitePermission['origin']>> {
  const node = levelsOf(grants);
  const members = await store.read(memberships).byIds(users.map((user) => membershipKey(organization, user)));
  const among = { user: { $in: [...users] }, team: { $in: [...node.teams.keys()] } };
  const seats =
    node.teams.size === 0
      ? []
      : await store
          .read(teamSeats)
          .find({ organization, ...among })
          .toArray();
  return new Map(
    members.map(({ user, membership, role }) => {
      const isInTeam = seats.some((seat) => seat.user === user && seat.membership === membership);
      const isGranted = role !== 'admin' && (isInTeam || grantedToUser({ user, membership }, node) !== undefined);
      return [user, isGranted ? { type: 'site', organization, site } : { type: 'organization', organization }];
    }),
  );
}
