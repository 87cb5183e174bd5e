import { AppError, type Session, type Principal } from '@scriptorium/contracts';
import { WithSession, derivedId, withStore, type Call, type Scope } from '@scriptorium/platform';
import { acceptInvitations, invite, listOpenInvitations, asPerson } from '../../organizations/index.js';
import { findPassword, replaceHash } from '../passwords/passwords.operational.js';
import type { PasswordHashing } from '../passwords/scrypt.hashing.js';
import { beginSession, credentials, recordSignIn, registerUser, user, verifyAddress } from '../../accounts/index.js';
import { getOwnSession } from '../sessions/sessions.queries.js';
import { isSignInClosed } from './closed-sign-in.queries.js';
import { findPerson } from './people.queries.js';
import { isMadeByForeignProvider, takeOver } from './proven-address.process.js';
import { countAttempt, forgetAttempts, uncountAttempt } from '../../attempts/index.js';
import { endLinks, useLink, type LinkDocument } from './links.operational.js';

/**
 * Finds the user with this address and password. A refusal is the same, and takes as long, whether the address is known
 * or not. Attempts are counted by address and by client before anything else.
 * @throws AppError `unauthenticated`, `rate_limited`
 */
export async function checkPassword(
  scope: Scope,
  hashing: PasswordHashing,
  { email, password, client }: { email: string; password: string; client: string },
): Promise<string> {
  await countAttempt(scope, { kind: 'address', of: client });
  await countAttempt(scope, { kind: 'account', of: email });
  const person = await findPerson(scope, email);
  const stored = await findPassword(scope, person?._id ?? 'nobody');
  const { matches, outdated } = await hashing.verify(password, stored);
  if (!matches || person === null || stored === null)
    throw new AppError('unauthenticated', [], { message: 'Wrong address or password' });
  if (outdated) await replaceHash(scope, person._id, stored, await hashing.hash(password));
  await forgetAttempts(scope, { kind: 'account', of: email });
  await uncountAttempt(scope, { kind: 'address', of: client });
  return person._id;
}

/**
 * Finds the user to whom a link was sent. Opening the link proves the address: it becomes verified, an invited person
 * without an account gets one, and the invitations to the address are accepted.
 * @throws AppError `unauthenticated` for a link that does not work
 */
export async function signInByLink(scope: Scope, text: string, displayName: string | undefined): Promise<string> {
  const link = await useLink(scope, text);
  const person = link === null ? null : await personOf(scope, link, displayName);
  if (person === null)
    throw new AppError('unauthenticated', [], { message: 'This link is invalid, was used, or has expired' });
  const { email, id } = person;
  await endLinks(scope, id);
  await forgetAttempts(scope, { kind: 'account', of: email });
  return id;
}

interface Owner {
  id: string;
  email: string;
}

async function personOf(scope: Scope, link: LinkDocument, displayName: string | undefined): Promise<Owner | null> {
  if (link.invite !== null) return registerInvitedPerson(scope, link.invite, displayName);
  const state = link.user === null ? null : await scope.store.load(user, link.user);
  if (link.user === null || state?.status !== 'active') return null;
  const owner = { id: link.user, email: state.email };
  if (!state.emailVerified) {
    const invitations = await listOpenInvitations(scope, owner.email);
    const isForeign = await isMadeByForeignProvider(scope, { ...state, _id: owner.id });
    // Before the address is proven: when the process ends in between, the next proof takes over again. And before
    // anybody sees the person where they were invited.
    if (isForeign) await takeOver(scope, { id: owner.id, displayName: displayName ?? nameIn(owner.email) });
    await verifyAddress(asPerson(scope, owner.id), owner.id, owner.email);
    await acceptInvitations(scope, owner.id, invitations);
  }
  return owner;
}

/** The name of somebody who has given none: the part of their address before the `@`. */
function nameIn(email: string): string {
  return email.slice(0, email.indexOf('@')).slice(0, 64);
}

/** Registers an invited person. If somebody registered with the address in the meantime, that is the person. */
async function registerInvitedPerson(
  scope: Scope,
  invited: string,
  displayName: string | undefined,
): Promise<Owner | null> {
  const terms = await scope.store.load(invite, invited);
  if (terms.status !== 'pending') return null;
  const { email } = terms;
  const id = derivedId('invited person', invited);
  const invitations = await listOpenInvitations(scope, email);
  const name = displayName ?? nameIn(email);
  try {
    const own = asPerson(scope, id);
    const account = { email, displayName: name, emailVerified: true, kind: 'person', operator: false } as const;
    await registerUser(withStore(own, own.store.keyed(`invited:${invited}`)), id, account);
    await acceptInvitations(scope, id, invitations);
    return { id, email };
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'already_exists') throw error;
    const person = await findPerson(scope, email);
    return person === null ? null : { id: person._id, email };
  }
}

/**
 * Begins a session and answers with it.
 * @throws AppError `sso_required` for a user who has to sign in through their organization
 */
export async function answerWithSession(
  call: Call<Principal | null>,
  user: string,
  method: Exclude<Session['method'], 'saml'>,
) {
  if (await isSignInClosed(call, user))
    throw new AppError('sso_required', [], {
      message: 'Your organization requires you to sign in with single sign-on',
    });
  await asPerson(call, user).store.handle(credentials, user, (state) => recordSignIn(state, { method }));
  const { text, session } = await beginSession(call, { user, method, client: call.client.agent });
  return new WithSession(await getOwnSession(call, session), text);
}
