import { AppError } from '@scriptorium/contracts';
import { base62, type Scope } from '@scriptorium/platform';
import { invite, send, type Terms } from './invite.js';
import { close, invitee, open } from './invitee.js';

const attempts = 3;

/** The position and event types that a reader has to wait for. */
interface SentInvite {
  position: bigint;
  types: readonly string[];
  /** Id of the invitation, if one with the same terms was pending and nothing was recorded. */
  alreadyPending?: string;
}

/**
 * Invites an address without an account. Concurrent requests find one invitation, which gets the terms of the last.
 * Repeating it changes nothing. When it stops between its two appends, the next request completes it.
 * @param idOf returns the id for a name: a new one, or the one that a repeated request had
 */
export async function sendInvite(scope: Scope, terms: Terms, idOf: (what: string) => string): Promise<SentInvite> {
  const { store } = scope;
  const inviteeStream = inviteeId(scope, terms);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const newInvite = idOf(`${inviteeStream}:${attempt}`);
    const opened = await store.handle(invitee, inviteeStream, (state) => open(state, { invite: newInvite }), {
      wait: false,
    });
    const { invite: id } = opened.state;
    // The request is repeated and its invitation is over. Another invitation may be open.
    if (id === null || (opened.repeated && opened.events.every(({ data }) => data.invite !== id))) return opened;
    try {
      const { position, types, events } = await store.handle(invite, id, (state) => send(state, terms), {
        wait: false,
      });
      return { position, types, ...(events.length === 0 ? { alreadyPending: id } : {}) };
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
      await closeInvite(scope, terms, id);
    }
  }
  throw new AppError('conflict', [], { retryAfter: 1 });
}

/** Releases the address for another invitation. Safe to repeat. */
export async function closeInvite(scope: Scope, of: Addressee, id: string): Promise<void> {
  // Without the idempotency key, since the stream may contain another step of the same request with that key.
  await scope.store.keyed(undefined).handle(invitee, inviteeId(scope, of), (state) => close(state, { invite: id }));
}

type Addressee = Pick<Terms, 'organization' | 'email'>;

/**
 * The id of an invited address in an organization. It is a keyed hash, so that nobody who can read stream names can
 * find out who was invited by trying addresses.
 */
export function inviteeId({ keys }: Pick<Scope, 'keys'>, { organization, email }: Addressee): string {
  return `i${base62(keys.digest('invite', organization, email).subarray(0, 16), 19)}`;
}
