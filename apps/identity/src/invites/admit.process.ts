import { createHmac } from 'node:crypto';
import type { MemberRole } from '@scriptorium/contracts';
import type { CommandContext } from '@scriptorium/event-sourcing';
import { base62, newId, step, type ServiceContext } from '@scriptorium/platform';
import { join, roster } from '../members/roster.js';
import { accept, invite } from './invite.js';

/**
 * The one invitation that an address can have in an organization. Keyed, so that the id, which names a stream, does not
 * give the address away.
 */
export function inviteId(context: ServiceContext, organization: string, email: string): string {
  const digest = createHmac('sha256', context.keys.reservation).update(JSON.stringify(['invite', organization, email])).digest();
  return `i${base62(digest.subarray(0, 16), 19)}`;
}

/** An invited person who is known. */
export interface Invited {
  user: string;
  role: MemberRole | null;
  /** Their invitation's id; there need not be one. */
  invite: string;
}

/** Makes invited people members and closes their invitations; returns who was none before. Safe to repeat. */
export async function admit(
  context: ServiceContext,
  organization: string,
  invited: readonly Invited[],
  command: CommandContext,
  by?: string,
): Promise<string[]> {
  if (invited.length === 0) return [];
  const people = invited.map(({ user, role }) => ({ user, role, membership: newId(), via: 'invite' as const }));
  const { events } = await context.store.handle(roster, organization, command, (state) => join(state, { people, by }));
  for (const one of invited) {
    await context.store.handle(invite, one.invite, step(command, one.invite), (state) => accept(state, one));
  }
  return events.flatMap((event) => (event.type === 'MemberJoined' ? [event.data.user] : []));
}
