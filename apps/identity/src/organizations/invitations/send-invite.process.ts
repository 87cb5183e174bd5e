import { AppError } from '@scriptorium/contracts';
import { base62, type Scope } from '@scriptorium/platform';
import { invite, send, type Terms } from './invite.js';
import { close, invitee, open } from './invitee.js';

const attempts = 3;

/** What a reader waits for to see what was written. */
interface Written {
  position: bigint;
  types: readonly string[];
  /** The invitation, when it had been sent before on the same terms: nothing was recorded. */
  again?: string;
}

/**
 * Invites an address that nobody is known by. All who do so at once find one invitation; the terms of the last one hold.
 * Repeating it changes nothing, and one that breaks off between its two appends is completed by the next.
 * @param idOf gives the id for what is named: a new one, or that of a repeated request.
 */
export async function sendInvite(scope: Scope, terms: Terms, idOf: (what: string) => string): Promise<Written> {
  const { store } = scope;
  const place = inviteeId(scope, terms);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const fresh = idOf(`${place}:${attempt}`);
    const opened = await store.handle(invitee, place, (state) => open(state, { invite: fresh }), {
      wait: false,
    });
    const { invite: id } = opened.state;
    // A repeated request, whose invitation has been accepted since; another one may be open.
    if (id === null || (opened.repeated && opened.events.every(({ data }) => data.invite !== id))) return opened;
    try {
      const { position, types, events } = await store.handle(invite, id, (state) => send(state, terms), {
        wait: false,
      });
      return { position, types, ...(events.length === 0 ? { again: id } : {}) };
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
      await closeInvite(scope, terms, id);
    }
  }
  throw new AppError('conflict', [], { retryAfter: 1 });
}

/** Gives the address free for another invitation. Safe to repeat. */
export async function closeInvite(scope: Scope, of: Addressee, id: string): Promise<void> {
  // Without the idempotency key: by that, the stream may know another step of the same request.
  await scope.store.keyed(undefined).handle(invitee, inviteeId(scope, of), (state) => close(state, { invite: id }));
}

type Addressee = Pick<Terms, 'organization' | 'email'>;

/**
 * The id of an address within an organization. Keyed, as those of reservations are: nobody who reads the names of streams
 * can find out by trying who was invited.
 */
export function inviteeId({ keys }: Pick<Scope, 'keys'>, { organization, email }: Addressee): string {
  return `i${base62(keys.digest('invite', organization, email).subarray(0, 16), 19)}`;
}
