import type { Level, ServiceAccess } from '@scriptorium/access';
import { roleAtLeast } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';

/** Somebody who may view a space. */
export interface Viewer {
  user: string;
  /** Their present stay in the organization. */
  membership: string;
  level: NonNullable<Level>;
}

/** Filters users: the result has the ones who may view a space now, by user id. */
export async function viewersOf(
  scope: Scope,
  access: ServiceAccess,
  { id, organization }: { id: string; organization: string },
  users: readonly string[],
): Promise<Map<string, Viewer>> {
  const viewers = await Promise.all(
    [...new Set(users)].map(async (user): Promise<Viewer | null> => {
      const place = await access.placeIn(scope, organization, { id: user });
      if (place === null) return null;
      const { nodes, member } = await access.viewerAt(scope, place);
      const level = nodes.levelOn(id, member);
      return level === null || !roleAtLeast(level, 'read') ? null : { user, membership: place.membership, level };
    }),
  );
  return new Map(viewers.flatMap((viewer) => (viewer === null ? [] : [[viewer.user, viewer]])));
}
