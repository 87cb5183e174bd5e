import { AppError, type MemberRole } from '@scriptorium/contracts';
import { keyed, newId, withStore, type Scope } from '@scriptorium/platform';
import { invitationMark, type MailFiles } from '../../mail/index.js';
import { join } from '../members/memberships.js';
import { roster } from '../members/roster.js';
import { users } from '../../read-models/index.js';
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
  /** Whether they become a member without having been asked. */
  unaccepted?: true | undefined;
}

/**
 * Makes people members, all or none; returns who was none before. Safe to repeat. Of how many organizations somebody
 * is a member is read from the read model: those who admit one person at the same moment may go beyond the limit.
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
    // How many organizations a person has is counted in the read model, also by the next invitation of the same reaction.
    wait: true,
  });
  return events.flatMap((event) => (event.type === 'MemberJoined' ? [event.data.user] : []));
}

/**
 * Accepts a pending invitation for the owner of its address. One that a limit forbids to accept stays pending: the limit's
 * name. Safe to repeat.
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
 * Removes what is left of an invitation that is over: first the address is given free, then the stream that names it is
 * deleted. Mail about one that was revoked is removed from the outbox.
 */
export async function forgetInvite(scope: Scope, files: MailFiles, id: string): Promise<void> {
  const state = await scope.store.load(invite, id);
  if (state.status !== 'accepted' && state.status !== 'revoked') return;
  await closeInvite(scope, state, id);
  if (state.status === 'revoked') await files.remove(invitationMark(id));
  await scope.store.erase(invite, id);
}
