import { AppError, type MemberRole } from '@scriptorium/contracts';
import { keyed, newId, withStore, type Scope } from '@scriptorium/platform';
import { invitationMark, type MailFiles } from '../../mail/index.js';
import { join } from '../roster/memberships.js';
import { roster } from '../roster/roster.js';
import { users } from '../../organization-read-models/index.js';
import { accept, invite, revoke } from './invite.js';
import { closeInvite } from './send-invite.process.js';

/** A known user who becomes a member. */
export interface Invited {
  user: string;
  role: MemberRole | null;
  /** How they become a member; by default through an invitation. */
  via?: 'invite' | 'link' | 'domain' | undefined;
  /** Whether they sign in through a provider of the organization. */
  sso?: boolean | undefined;
  /** Whether they become a member without having agreed. */
  unaccepted?: true | undefined;
}

/**
 * Makes people members, all or none, and returns the new ones. Safe to repeat. The number of organizations of a person
 * comes from the read model, so several that admit one person at the same moment can exceed that limit.
 */
export async function admit(
  scope: Scope,
  organization: string,
  invited: readonly Invited[],
  by?: string,
): Promise<string[]> {
  if (invited.length === 0) return [];
  const known = keyed(await scope.store.read(users).byIds(invited.map(({ user }) => user)));
  const people = invited.map(({ user, role, via = 'invite', sso, unaccepted }) => ({
    user,
    role,
    membership: newId(),
    via,
    ...(sso === true ? { sso } : {}),
    ...(unaccepted === true ? { unaccepted } : {}),
    kind: known.get(user)?.kind,
    organizations: known.get(user)?.organizations.length ?? 0,
  }));
  const { limits } = scope;
  const { events } = await scope.store.handle(roster, organization, (state) => join(state, { people, by, limits }), {
    // The number of organizations of a person is read from the read model, also for the next invitation of the same
    // reaction.
    wait: true,
  });
  return events.flatMap((event) => (event.type === 'MemberJoined' ? [event.data.user] : []));
}

/**
 * Accepts a pending invitation for the owner of its address. If a limit prevents it, the invitation stays pending and
 * the name of the limit is returned. Safe to repeat.
 */
export async function acceptPending(scope: Scope, id: string, user: string): Promise<string | undefined> {
  const terms = await scope.store.load(invite, id);
  if (terms.status !== 'pending') return undefined;
  const { organization, role, sso } = terms;
  const own = withStore(scope, scope.store.step(id).in(organization));
  try {
    await admit(own, organization, [{ user, role, sso, unaccepted: true }]);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.reason === 'limit_reached') return error.details[0]?.path;
    if (error.reason !== 'not_found') throw error;
    // The organization is deleted.
    await own.store.handle(invite, id, revoke);
    return undefined;
  }
  await own.store.handle(invite, id, (state) => accept(state, { user }));
  return undefined;
}

/**
 * Removes what is left of an invitation that is over. The address is released first, then the stream with the address
 * is deleted. Mail about a revoked invitation is removed from the outbox.
 */
export async function forgetInvite(scope: Scope, files: MailFiles, id: string): Promise<void> {
  const state = await scope.store.load(invite, id);
  if (state.status !== 'accepted' && state.status !== 'revoked') return;
  await closeInvite(scope, state, id);
  if (state.status === 'revoked') await files.remove(invitationMark(id));
  await scope.store.erase(invite, id);
}
