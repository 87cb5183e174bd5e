import { createHmac } from 'node:crypto';
import type { MemberRole } from '@scriptorium/contracts';
import type { CommandContext } from '@scriptorium/event-sourcing';
import { base62, newId, type ServiceContext } from '@scriptorium/platform';
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

interface Admission {
  organization: string;
  user: string;
  role: MemberRole | null;
  invite: string;
}

/** Makes an invited person a member and closes the invitation. True when they were none before. Safe to repeat. */
export async function admit(context: ServiceContext, admission: Admission, command: CommandContext): Promise<boolean> {
  const { organization, user, role } = admission;
  const membership = newId();
  const { events } = await context.store.handle(roster, organization, command, (state) =>
    join(state, { user, membership, role, via: 'invite' }),
  );
  await context.store.handle(invite, admission.invite, command, (state) => accept(state, { user }));
  return events.length > 0;
}
