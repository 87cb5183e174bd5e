import { AppError } from '@scriptorium/contracts';
import type { CommandContext } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { forgetInvite } from '../invites/admit.process.js';
import { invite, revoke } from '../invites/invite.js';
import { pendingInvites } from '../invites/pending-invite.projection.js';
import { forgetLetters, mailboxOf } from '../mail/outbox.office.js';
import { members } from '../members/member.projection.js';
import { dismiss } from '../members/dismissal.js';
import { roster } from '../members/roster.js';
import { projected } from '../projected.js';
import { forgetTries } from '../sign-in/attempts.operational.js';
import { forgetPerson } from '../sign-in/forget-person.process.js';
import { credentials, end } from '../tokens/credentials.js';
import { forgetUses } from '../tokens/token-use.operational.js';
import { addresses } from '../users/addresses.reservation.js';
import { users } from '../users/user.projection.js';
import { user as person } from '../users/user.js';
import { unkeyed } from './erase-person.process.js';
import { arrangeSecondLook } from './erasure.timer.js';

/** A person who is recorded to be erased, and where in the log. */
export interface Erased {
  user: string;
  position: bigint;
}

/**
 * Removes all that is left of a person: memberships that began at the last moment, tokens, whatever they could sign in with,
 * invitations and letters to their address, and, at the end, their own stream, in which alone the address stands. Safe to
 * repeat from any point.
 * @throws AppError `unavailable` while the read models do not show yet all that was written before.
 */
export async function forgetErased(context: ServiceContext, erased: Erased, command: CommandContext): Promise<void> {
  const { store } = context;
  const { user } = erased;
  const own = unkeyed(command);
  await dismissEverywhere(context, erased, own);
  await forgetTokens(context, user, own);
  await forgetPerson(context, user);
  const state = await store.load(person, user);
  if (state.status === 'active') await forgetAddress(context, erased, state.email, own);
  await context.answers.forget();
}

/** Memberships that were written before; those that come later are found by their own events. */
async function dismissEverywhere(context: ServiceContext, { user, position }: Erased, own: CommandContext): Promise<void> {
  const { store } = context;
  await projected(context, { position, type: 'MemberJoined' }, [members]);
  for (const { organization } of await store.collection(members).find({ user }).toArray()) {
    await store.handle(roster, organization, { ...own, organization }, (state) => dismiss(state, { user }), { wait: false });
  }
}

async function forgetTokens({ store }: ServiceContext, user: string, own: CommandContext): Promise<void> {
  const { tokens } = await store.load(credentials, user);
  await forgetUses(store, tokens.map(({ id }) => id));
  try {
    await store.handle(credentials, user, own, end);
  } catch (error) {
    // The stream is deleted already.
    if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
  }
  await store.erase(credentials, user);
}

async function forgetAddress(context: ServiceContext, erased: Erased, email: string, own: CommandContext): Promise<void> {
  const { store } = context;
  const { user } = erased;
  await revokeInvites(context, erased, email, own);
  const mailbox = mailboxOf(context, email);
  await arrangeSecondLook(context, { user, mailbox }, own.correlation);
  await forgetLetters(context, mailbox);
  for (const kind of ['account', 'link'] as const) await forgetTries(context, { kind, of: email });
  await store.reservations.giveUp(addresses(context), { value: email, owner: user, context: own }, () => store.erase(person, user));
}

/** What waits for an address that has another owner now waits for them. */
async function revokeInvites(context: ServiceContext, { position }: Erased, email: string, own: CommandContext): Promise<void> {
  const { store } = context;
  await projected(context, { position, type: 'MemberInvited' }, [pendingInvites, users]);
  if ((await store.collection(users).findOne({ email, emailVerified: true })) !== null) return;
  for (const { _id, organization } of await store.collection(pendingInvites).find({ email }).toArray()) {
    const command = { ...own, organization };
    await store.handle(invite, _id, command, revoke, { wait: false });
    await forgetInvite(context, _id, command);
  }
}
