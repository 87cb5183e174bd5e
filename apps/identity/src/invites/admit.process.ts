import { AppError, type MemberRole } from '@scriptorium/contracts';
import type { CommandContext } from '@scriptorium/event-sourcing';
import { keyed, newId, step, type ServiceContext } from '@scriptorium/platform';
import { markOfInvite } from '../mail/mail.timer.js';
import { forgetLetters } from '../mail/outbox.office.js';
import { join, roster } from '../members/roster.js';
import { users } from '../users/user.projection.js';
import { accept, invite, revoke } from './invite.js';
import { closeInvite } from './send-invite.process.js';

/** An invited person who is known. */
export interface Invited {
  user: string;
  role: MemberRole | null;
  /** How they come to be a member; by an invitation unless told. */
  via?: 'invite' | 'link' | 'domain' | undefined;
  /** Whether they sign in through a provider of the organization. */
  sso?: boolean | undefined;
}

/**
 * Makes people members, all or none; returns who was none before. Safe to repeat. Of how many organizations somebody
 * is a member is read from the read model: those who admit one person at the same moment may go beyond the limit.
 */
export async function admit(
  context: ServiceContext,
  organization: string,
  invited: readonly Invited[],
  command: CommandContext,
  by?: string,
): Promise<string[]> {
  if (invited.length === 0) return [];
  const known = keyed(await context.store.collection(users).byIds(invited.map(({ user }) => user)));
  const people = invited.map(({ user, role, via = 'invite', sso }) => ({
    user, role, membership: newId(), via, ...(sso === true ? { sso } : {}), organizations: known.get(user)?.organizations.length ?? 0,
  }));
  const { limits } = context;
  const { events } = await context.store.handle(roster, organization, command, (state) => join(state, { people, by, limits }));
  return events.flatMap((event) => (event.type === 'MemberJoined' ? [event.data.user] : []));
}

/**
 * Accepts a pending invitation for the owner of its address. One that a limit forbids to accept stays pending: the limit's
 * name. Safe to repeat.
 */
export async function acceptPending(context: ServiceContext, id: string, user: string, command: CommandContext): Promise<string | undefined> {
  const terms = await context.store.load(invite, id);
  if (terms.status !== 'pending') return undefined;
  const { organization, role, sso } = terms;
  const own = { ...step(command, id), organization };
  try {
    await admit(context, organization, [{ user, role, sso }], own);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.reason === 'limit_reached') return error.details[0]?.path;
    if (error.reason !== 'not_found') throw error;
    // The organization is deleted.
    await context.store.handle(invite, id, own, revoke);
    return undefined;
  }
  await context.store.handle(invite, id, own, (state) => accept(state, { user }));
  return undefined;
}

/**
 * Removes what is left of an invitation that is over: first the address is given free, then the stream that names it is
 * deleted. Letters about one that was revoked go as well.
 */
export async function forgetInvite(context: ServiceContext, id: string, command: CommandContext): Promise<void> {
  const state = await context.store.load(invite, id);
  if (state.status !== 'accepted' && state.status !== 'revoked') return;
  await closeInvite(context, state, id, command);
  if (state.status === 'revoked') await forgetLetters(context, markOfInvite(id));
  await context.store.erase(invite, id);
}
