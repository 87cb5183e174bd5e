import {
  knownTeams,
  memberships,
  membershipKey,
  nodeAccess,
  type NodeKind,
  type ServiceAccess,
} from '@scriptorium/access';
import { AppError } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { waitForProjections } from '@scriptorium/platform';
import type { DecideGrants, GrantingKind } from './granting-kind.js';
import { dropStay, dropTeam } from './grants.js';

/** Types of events that the read model of grants shows, by the kind of node: to wait for it. */
const grantEvents = { space: 'SpaceUserGrantGiven', collection: 'CollectionUserGrantGiven' } satisfies Record<
  NodeKind,
  string
>;

/** Removes what was granted to a member who has left the organization. It has not counted since they left. */
export async function endGrantsOfStay(
  granting: GrantingKind,
  access: ServiceAccess,
  store: StoreScope,
  left: { organization: string; position: bigint; stay: { user: string; membership: string } },
): Promise<void> {
  const { organization, position, stay } = left;
  const { kind } = granting;
  await waitForProjections({ store }, { position, type: grantEvents[kind] }, [nodeAccess]);
  const nodes = await access.nodesOf({ store }, organization);
  for (const id of nodes.grantingTo(kind, { user: stay.user }))
    await remove(granting, store.in(organization), id, (grants) => dropStay(grants, stay));
}

/** Removes what was granted to a team that was deleted. */
export async function endGrantsOfTeam(
  granting: GrantingKind,
  access: ServiceAccess,
  store: StoreScope,
  deleted: { organization: string; position: bigint; team: string },
): Promise<void> {
  const { organization, position, team } = deleted;
  const { kind } = granting;
  await waitForProjections({ store }, { position, type: grantEvents[kind] }, [nodeAccess]);
  const nodes = await access.nodesOf({ store }, organization);
  for (const id of nodes.grantingTo(kind, { team }))
    await remove(granting, store.in(organization), id, (grants) => dropTeam(grants, { team }));
}

/** Removes a grant that was given at the moment in which the member left, or the team was deleted. */
export async function endLateGrant(
  granting: GrantingKind,
  store: StoreScope,
  grant: {
    id: string;
    organization: string;
    position: bigint;
    to: { user: string; membership: string } | { team: string };
  },
): Promise<void> {
  const { id, organization, position, to } = grant;
  if ('team' in to) {
    await waitForProjections({ store }, { position, type: 'TeamDeleted' }, [knownTeams]);
    if ((await store.read(knownTeams).byId(to.team)) !== null) return;
    await remove(granting, store.in(organization), id, (grants) => dropTeam(grants, to));
    return;
  }
  await waitForProjections({ store }, { position, type: 'MemberRemoved' }, [memberships]);
  const member = await store.read(memberships).byId(membershipKey(organization, to.user));
  if (member?.membership === to.membership) return;
  await remove(granting, store.in(organization), id, (grants) => dropStay(grants, to));
}

/** Nothing of a node that is gone. */
async function remove(granting: GrantingKind, store: StoreScope, id: string, decide: DecideGrants): Promise<void> {
  await granting.change(store, id, decide).catch((error: unknown) => {
    if (!(error instanceof AppError && error.reason === 'not_found')) throw error;
  });
}
