import type { CommandContext } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { agentInstructions } from '../agent-instructions/agent-instructions.js';
import { invite, revoke } from '../invites/invite.js';
import { pendingInvites } from '../invites/pending-invite.projection.js';
import { linkInvites } from '../link-invites/link-invites.js';
import type { LastSeen } from '../members/last-seen.operational.js';
import { empty, roster } from '../members/roster.js';
import { projected } from '../projected.js';
import { sso } from '../sso/sso.js';
import { remove as removeTeam, team } from '../teams/team.js';
import { teams } from '../teams/team.projection.js';
import { hostnames } from './hostnames.reservation.js';
import { organization, remove } from './organization.js';

/**
 * Deletes an organization whose roster is closed, and gives its hostname free. What people wrote about it is erased first, so
 * that nothing can follow the deletion. Safe to repeat. Returns the position of the deletion in the log.
 */
export async function deleteOrganization(context: ServiceContext, id: string, command: CommandContext): Promise<bigint> {
  const { store } = context;
  await Promise.all([store.erase(linkInvites, id), store.erase(sso, id), store.erase(agentInstructions, id)]);
  const { state, position } = await store.handle(organization, id, command, remove);
  if (state.status === 'deleted') {
    await store.reservations.release(hostnames(context), { value: state.hostname, owner: id, context: command });
  }
  return position;
}

/**
 * Ends what has streams of its own: memberships one by one, pending invitations with the addresses in them, teams. For a
 * reactor; safe to repeat. What is written after `deleted`, the position of the deletion, is found by its own event.
 * @throws AppError `unavailable` while the read models do not show yet all that was written before.
 */
export async function clearOrganization({ context, lastSeen }: { context: ServiceContext; lastSeen: LastSeen }, id: string, deleted: bigint, command: CommandContext): Promise<void> {
  const { store } = context;
  // Each command is nothing to do when it has been done, and several go to one stream: a key would hide all but the first.
  const each = { ...command, idem: undefined };
  while ((await store.handle(roster, id, each, empty, { wait: false })).events.length > 0);
  for (const type of ['MemberInvited', 'TeamCreated']) await projected(context, { position: deleted, type }, [pendingInvites, teams]);
  for await (const { _id } of store.collection(pendingInvites).find({ organization: id })) {
    await store.handle(invite, _id, each, revoke, { wait: false });
  }
  for await (const { _id } of store.collection(teams).find({ organization: id })) {
    await store.handle(team, _id, each, removeTeam, { wait: false });
  }
  await lastSeen.forgetOrganization(id);
}

/** Whether an organization is known to be deleted. */
export async function isDeleted({ store }: ServiceContext, id: string): Promise<boolean> {
  return (await store.load(organization, id)).status === 'deleted';
}
