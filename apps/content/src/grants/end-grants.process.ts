import { memberships, membershipKey, nodeAccess, type NodeKind, type ServiceAccess } from '@scriptorium/access';
import { AppError } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { waitForProjections } from '@scriptorium/platform';
import { knownTeams } from '../directory/index.js';
import { dropStay, dropTeam, type GrantChange, type Grants } from './grants.js';

/** How grants of one kind of node are removed by a reactor. Nothing of a node that is gone. */
export interface EndingGrants {
  kind: NodeKind;
  /** Types of the events that record a grant to a user and to a team. */
  given: { user: string; team: string };
  remove(store: StoreScope, id: string, decide: (grants: Grants) => GrantChange[]): Promise<unknown>;
}

/** Removes what was granted to a member who has left the organization. It has not counted since they left. */
export async function endGrantsOfStay(
  ending: EndingGrants,
  access: ServiceAccess,
  store: StoreScope,
  left: { organization: string; position: bigint; stay: { user: string; membership: string } },
): Promise<void> {
  const { organization, position, stay } = left;
  await waitForProjections({ store }, { position, type: ending.given.user }, [nodeAccess]);
  const nodes = await access.nodesOf({ store }, organization);
  for (const id of nodes.grantingTo(ending.kind, { user: stay.user }))
    await ending.remove(store.in(organization), id, (grants) => dropStay(grants, stay));
}

/** Removes what was granted to a team that was deleted. */
export async function endGrantsOfTeam(
  ending: EndingGrants,
  access: ServiceAccess,
  store: StoreScope,
  deleted: { organization: string; position: bigint; team: string },
): Promise<void> {
  const { organization, position, team } = deleted;
  await waitForProjections({ store }, { position, type: ending.given.team }, [nodeAccess]);
  const nodes = await access.nodesOf({ store }, organization);
  for (const id of nodes.grantingTo(ending.kind, { team }))
    await ending.remove(store.in(organization), id, (grants) => dropTeam(grants, { team }));
}

/** Removes a grant that was given at the moment in which the member left, or the team was deleted. */
export async function endLateGrant(
  ending: EndingGrants,
  store: StoreScope,
  grant: { id: string; organization: string; to: { user: string; membership: string } | { team: string } },
): Promise<void> {
  const { id, organization, to } = grant;
  if (!store.isLive([memberships, knownTeams]))
    throw new AppError('unavailable', [], { message: 'The projections are behind' });
  if ('team' in to) {
    if ((await store.read(knownTeams).byId(to.team)) !== null) return;
    await ending.remove(store.in(organization), id, (grants) => dropTeam(grants, to));
    return;
  }
  const member = await store.read(memberships).byId(membershipKey(organization, to.user));
  if (member?.membership === to.membership) return;
  await ending.remove(store.in(organization), id, (grants) => dropStay(grants, to));
}
