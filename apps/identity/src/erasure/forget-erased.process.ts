import { AppError } from '@scriptorium/contracts';
import { keyedEntries } from '@scriptorium/event-sourcing';
import { withStore, type IdempotencyStore, type Scope, waitForProjections } from '@scriptorium/platform';
import { removeErasedMember, forgetInvite, invite, pendingInvites, revoke, roster } from '../organizations/index.js';
import { mailboxOf, type MailFiles } from '../mail/index.js';
import { members, users } from '../organization-read-models/index.js';
import { forgetAttempts } from '../attempts/index.js';
import { forgetCredentials } from '../authentication/index.js';
import {
  addresses,
  credentials,
  endCredentials,
  forgetUses,
  type User,
  user as person,
  userNameOf,
  userNames,
} from '../accounts/index.js';
import { repeatableScope } from './erase-person.process.js';
import { scheduleRecheck } from './erasure.timer.js';

/** A recorded erasure, with its position in the log. */
export interface RecordedErasure {
  user: string;
  position: bigint;
}

/** What the steps below work with. */
interface ErasureParts {
  scope: Scope;
  files: MailFiles;
  /** The stored answers, any of which may show the person. */
  answers: Pick<IdempotencyStore, 'forget'>;
}

/**
 * Removes what is left of an erased person: memberships that began in the last moment, tokens, credentials, invitations
 * and mail to their address, and at the end their own stream, the only one with the address. Safe to repeat from any
 * point.
 * @throws AppError `unavailable` as long as the read models do not show everything that was written before
 */
export async function forgetErased(parts: ErasureParts, erased: RecordedErasure): Promise<void> {
  const scope = repeatableScope(parts.scope);
  const { store } = scope;
  const { user } = erased;
  await endRemainingMemberships(scope, erased);
  await forgetTokens(scope, user);
  await forgetCredentials(scope, user);
  const state = await store.load(person, user);
  if (state.status === 'active') await forgetPerson({ ...parts, scope }, erased, state);
  await parts.answers.forget();
}

/** Ends memberships that began before the erasure. Later ones are ended by the reactor on their own events. */
async function endRemainingMemberships(scope: Scope, { user, position }: RecordedErasure): Promise<void> {
  const { store } = scope;
  await waitForProjections(scope, { position, type: 'MemberJoined' }, [members]);
  for (const { organization } of await store.read(members).find({ user }).toArray()) {
    await store.in(organization).handle(roster, organization, (state) => removeErasedMember(state, { user }), {
      wait: false,
    });
  }
}

async function forgetTokens(scope: Scope, user: string): Promise<void> {
  const { store } = scope;
  const { tokens } = await store.load(credentials, user);
  await forgetUses(
    scope,
    tokens.map(({ id }) => id),
  );
  try {
    await store.handle(credentials, user, endCredentials);
  } catch (error) {
    // The stream has been deleted by an earlier run.
    if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
  }
  await store.erase(credentials, user);
}

async function forgetPerson(
  parts: ErasureParts,
  erased: RecordedErasure,
  { email, provisioned }: Extract<User, { status: 'active' }>,
): Promise<void> {
  const { scope, files } = parts;
  const { store } = scope;
  const { user } = erased;
  await revokeInvites(parts, erased, email);
  const mailbox = mailboxOf(scope, email);
  await scheduleRecheck(scope, { user, mailbox });
  await files.remove(mailbox);
  for (const kind of ['account', 'link', 'invited'] as const) await forgetAttempts(scope, { kind, of: email });
  const erase = () => store.giveUp(addresses, { value: email, owner: user }, () => store.erase(person, user));
  const names = keyedEntries(provisioned).map(([, name]) => userNameOf(name));
  await names.reduce((inner, value) => () => store.giveUp(userNames, { value, owner: user }, inner), erase)();
}

/** Revokes the pending invitations to the address, unless another user has verified it. */
async function revokeInvites(
  { scope, files }: ErasureParts,
  { position }: RecordedErasure,
  email: string,
): Promise<void> {
  const { store } = scope;
  await waitForProjections(scope, { position, type: 'MemberInvited' }, [pendingInvites, users]);
  if ((await store.read(users).findOne({ email, emailVerified: true })) !== null) return;
  for (const { _id, organization } of await store.read(pendingInvites).find({ email }).toArray()) {
    const inside = withStore(scope, store.in(organization));
    await inside.store.handle(invite, _id, revoke, { wait: false });
    await forgetInvite(inside, files, _id);
  }
}
