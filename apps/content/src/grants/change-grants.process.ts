import { membershipKey, memberships, type DefaultLevel, type ServiceAccess } from '@scriptorium/access';
import { AppError, blaming, type MemberRole } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { requireHolders } from '../directory/index.js';
import type { ViewedNode } from '../library/index.js';
import { isAbove } from '../levels/index.js';
import { give, refuseRaise, regive, takeBack, type GrantChange, type Grants, type Holder } from './grants.js';

/** Changes the grants of one space or collection. Resolves to whether anything was changed. */
export type ChangeGrants = (decide: (grants: Grants) => GrantChange[]) => Promise<boolean>;

interface Changing {
  /** The space or collection, as whoever changes its grants sees it. */
  node: ViewedNode;
  change: ChangeGrants;
}

/** Grants a level to members and teams. @throws AppError `not_found` naming those whom the organization does not have */
export async function grantTo(
  call: Call,
  access: ServiceAccess,
  { node, change }: Changing,
  {
    role: level,
    users,
    teams,
  }: { role: MemberRole | null; users?: string[] | undefined; teams?: string[] | undefined },
): Promise<void> {
  const holders = await requireHolders(call, node.organization, { users, teams });
  const granting = { own: node.level, limit: call.limits.grantsPerNode };
  await withinQuota(call, access, { node, holders }, () =>
    change((grants) => give(grants, { holders, level, ...granting })),
  );
}

/** Changes the level of one grant. @throws AppError `not_found` when there is none */
export async function regrant(
  call: Call,
  { node, change }: Changing,
  whom: { user: string } | { team: string },
  level: MemberRole | null,
): Promise<void> {
  const holder = await presentHolder(call, node.organization, whom);
  if (holder === null) throw new AppError('not_found');
  const granting = { own: node.level, limit: call.limits.grantsPerNode };
  await change((grants) => regive(grants, { holder, level, ...granting }));
}

/** Takes a grant back; false when there is none. */
export async function removeGrant(
  call: Call,
  { node, change }: Changing,
  whom: { user: string } | { team: string },
): Promise<boolean> {
  const holder = await presentHolder(call, node.organization, whom);
  if (holder === null) return false;
  refuseRaise(node.member, node.chain, 'user' in whom ? { withoutUser: whom.user } : { withoutTeam: whom.team });
  return change((grants) => takeBack(grants, { holder, own: node.level }));
}

/** A member in their present stay, or a team; `null` for who is no member. */
async function presentHolder(
  { store }: Call,
  organization: string,
  whom: { user: string } | { team: string },
): Promise<Holder | null> {
  if ('team' in whom) return whom;
  const member = await store.read(memberships).byId(membershipKey(organization, whom.user));
  return member === null ? null : { user: member.user, membership: member.membership };
}

/** For so many more grants in the organization: every service keeps all of them in memory. */
function withinQuota<T>(
  call: Call,
  access: ServiceAccess,
  { node, holders }: { node: ViewedNode; holders: readonly Holder[] },
  work: () => Promise<T>,
): Promise<T> {
  const { organization, chain } = node;
  const isNew = (holder: Holder): boolean =>
    'team' in holder ? chain[0]?.teams.has(holder.team) !== true : chain[0]?.users.has(holder.user) !== true;
  const more = holders.filter(isNew).length;
  const look = async () => ({ present: (await access.nodesOf(call, organization)).grants(), more });
  return call.quotas.within({ limit: 'grantsPerOrganization', of: organization, most: more, look }, work);
}

/** A default level is at most that of whoever sets it, and does not raise it. @throws AppError `forbidden` */
export function refuseDefaultLevel(node: ViewedNode, defaultLevel: DefaultLevel): void {
  if (defaultLevel !== 'inherit' && isAbove(defaultLevel, node.level))
    throw blaming('forbidden', 'body.defaultLevel', 'The level is above your own');
  refuseRaise(node.member, node.chain, { defaultLevel });
}
