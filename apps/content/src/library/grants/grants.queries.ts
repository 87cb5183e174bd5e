import {
  teamGrantPage,
  userGrantPage,
  type GrantFilter,
  type Granting,
  type GrantListed,
  type NodeGrants,
} from '@scriptorium/access';
import type { TeamPermission, UserPermission } from '@scriptorium/contracts';
import type { Page, Scope } from '@scriptorium/platform';
import { presentStays } from './directory.queries.js';

/** A space or collection whose grants are listed: `chain` begins with what it grants itself. */
type GrantingNode = Granting & { chain: readonly NodeGrants[] };

/** What was granted to users on the node itself, by id of the user. Grants of stays that have ended are not there. */
export async function listUserGrants(
  scope: Scope,
  node: GrantingNode,
  filter: GrantFilter,
): Promise<Page<UserPermission>> {
  const grants = [...(node.chain[0]?.users ?? [])];
  const stays = grants.map(([user, { membership }]) => ({ user, membership }));
  const present = await presentStays(scope, node.organization, stays);
  const listed = grants.flatMap(([user, { level }]): GrantListed[] => (present.has(user) ? [[user, level]] : []));
  return userGrantPage(scope, node, listed, filter);
}

/** What was granted to teams on the node itself, by id of the team. */
export function listTeamGrants(scope: Scope, node: GrantingNode, filter: GrantFilter): Promise<Page<TeamPermission>> {
  return teamGrantPage(scope, node, [...(node.chain[0]?.teams ?? [])], filter);
}
