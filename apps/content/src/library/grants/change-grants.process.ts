import { membershipKey, memberships, type DefaultLevel, type NodeGrants, type NodeViewer } from '@scriptorium/access';
import { AppError, blaming, type MemberRole } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { requireHolders } from './directory.queries.js';
import { isAbove, refuseHigher, type ViewedNode } from '../nodes/index.js';
import type { DecideGrants, GrantingKind } from './granting-kind.js';
import { give, grantsAfter, nodeGrantsOf, regive, takeBack, type Grants, type Holder } from './grants.js';

/** A change of the grants of one space or collection. */
export interface Changing {
  granting: GrantingKind;
  /** The space or collection, as whoever changes its grants sees it. */
  node: ViewedNode;
  viewer: NodeViewer;
}

/**
 * Grants a level to members and teams. @throws AppError `not_found` naming those whom the organization does not have
 */
export async function grantTo(
  call: Call,
  changing: Changing,
  {
    role: level,
    users,
    teams,
  }: { role: MemberRole | null; users?: string[] | undefined; teams?: string[] | undefined },
): Promise<void> {
  const { node } = changing;
  const holders = await requireHolders(call, node.organization, { users, teams });
  await withinQuota(call, changing, holders, () =>
    change(call, changing, (grants) => give(grants, { holders, level, ...limitsOf(call, node) })),
  );
}

/** Changes the level of one grant. @throws AppError `not_found` when there is none */
export async function regrant(
  call: Call,
  changing: Changing,
  whom: { user: string } | { team: string },
  level: MemberRole | null,
): Promise<void> {
  const { node } = changing;
  const holder = await presentHolder(call, node.organization, whom);
  if (holder === null) throw new AppError('not_found');
  await change(call, changing, (grants) => regive(grants, { holder, level, ...limitsOf(call, node) }));
}

/** Takes a grant back; false when there is none. */
export async function removeGrant(
  call: Call,
  changing: Changing,
  whom: { user: string } | { team: string },
): Promise<boolean> {
  const { node } = changing;
  const holder = await presentHolder(call, node.organization, whom);
  if (holder === null) return false;
  return change(call, changing, (grants) => takeBack(grants, { holder, own: node.level }));
}

function limitsOf(call: Call, { level }: ViewedNode) {
  return { own: level, limit: call.limits.grantsPerNode };
}

function change({ store }: Call, { granting, node, viewer }: Changing, decide: DecideGrants): Promise<boolean> {
  return granting.change(store, node.id, (grants) => {
    const changes = decide(grants);
    const after = changes.reduce(grantsAfter, grants);
    refuseRaise(viewer, node.id, grantsInPlaceOf(viewer, node.id, grants, after));
    return changes;
  });
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
  { node, viewer }: Changing,
  holders: readonly Holder[],
  work: () => Promise<T>,
): Promise<T> {
  const { organization, chain } = node;
  const isNew = (holder: Holder): boolean =>
    'team' in holder ? chain[0]?.teams.has(holder.team) !== true : chain[0]?.users.has(holder.user) !== true;
  const more = holders.filter(isNew).length;
  const look = () => Promise.resolve({ present: viewer.nodes.grants(), more });
  return call.quotas.within({ limit: 'grantsPerOrganization', of: organization, most: more, look }, work);
}

/** A default level is at most that of whoever sets it, and does not raise it. @throws AppError `forbidden` */
export function refuseDefaultLevel(viewer: NodeViewer, node: ViewedNode, defaultLevel: DefaultLevel): void {
  if (defaultLevel !== 'inherit' && isAbove(defaultLevel, node.level))
    throw blaming('forbidden', 'body.defaultLevel', 'The level is above your own');
  const before = viewer.nodes.grantsOf(node.id);
  if (before !== undefined) refuseRaise(viewer, node.id, { before, after: { ...before, defaultLevel } });
}

function grantsInPlaceOf({ nodes }: NodeViewer, id: string, before: Grants, after: Grants) {
  const defaultLevel = nodes.grantsOf(id)?.defaultLevel ?? null;
  return { before: nodeGrantsOf(before, defaultLevel), after: nodeGrantsOf(after, defaultLevel) };
}

/** Nobody raises their own level by what a node grants, neither on it nor on anything in it, deleted or not. */
function refuseRaise({ nodes, member }: NodeViewer, id: string, own: { before: NodeGrants; after: NodeGrants }): void {
  if (member.role === 'admin') return;
  const above = nodes.chainOf(id).slice(1);
  const changes = nodes.within(id).map((inner) => {
    const below = nodes.chainOf(inner).slice(0, -1 - above.length);
    return { before: [...below, own.before, ...above], after: [...below, own.after, ...above] };
  });
  refuseHigher(member, changes);
}
