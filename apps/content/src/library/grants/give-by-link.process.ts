import {
  grantedToUser,
  membershipKey,
  memberships,
  type Level,
  type NodeKind,
  type ServiceAccess,
} from '@scriptorium/access';
import { AppError } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { isAbove } from '../nodes/index.js';
import type { GrantingKind } from './granting-kind.js';
import { give } from './grants.js';

/** How long the read models may take to show what came before, ms. Then the event is tried again. */
const reachedWithin = 2_000;

/** A member has used a link to a space or collection. */
export interface LinkUse {
  organization: string;
  position: bigint;
  user: string;
  membership: string;
  level: Level;
  to: { kind: NodeKind; id: string };
}

/**
 * Grants a member the level of a link that they have used. Nothing when they have that level already, were explicitly
 * granted no access, have left, or the space or collection is full or gone. Safe to repeat.
 */
export async function giveByLink(
  granting: GrantingKind,
  access: ServiceAccess,
  store: StoreScope,
  { organization, position, user, membership, level, to }: LinkUse,
  limit: number,
): Promise<void> {
  if (to.kind !== granting.kind || level === null) return;
  // No read model of content is made of such events, so none can be waited for by its type.
  if ((await store.waitForPosition(position, reachedWithin)) !== 'reached') throw new AppError('unavailable');
  const member = await store.read(memberships).byId(membershipKey(organization, user));
  if (member?.membership !== membership) return;
  const { role } = member;
  const place = { organization, user, membership, role, withoutSSO: false };
  const { nodes, member: grantee } = await access.viewerWithTeamsAt({ store }, place);
  const node = nodes.grantsOf(to.id);
  if (node === undefined || nodes.deletedAt(to.id) !== null) return;
  const closedOut = grantedToUser(grantee, node) === null;
  if (closedOut || !isAbove(level, nodes.levelOn(to.id, grantee))) return;
  const holders = [{ user, membership }];
  await granting
    .change(store.in(organization), to.id, (grants) => give(grants, { holders, level, own: 'admin', limit }))
    .catch((error: unknown) => {
      if (!(error instanceof AppError && ['not_found', 'limit_reached'].includes(error.reason))) throw error;
    });
}
