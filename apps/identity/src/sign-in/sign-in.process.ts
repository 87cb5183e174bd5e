import { AppError, type Session } from '@scriptorium/contracts';
import { WithSession, derivedId, step, type InternalCall, type ServiceContext } from '@scriptorium/platform';
import { invite } from '../invites/invite.js';
import { findPassword, replaceHash } from '../passwords/passwords.operational.js';
import type { PasswordHashing } from '../passwords/scrypt.hashing.js';
import { beginSession } from '../sessions/sessions.operational.js';
import { getOwnSession } from '../sessions/sessions.queries.js';
import { isSignInClosed } from '../sso/closed-sign-in.queries.js';
import { credentials, noteSignIn } from '../tokens/credentials.js';
import { registerUser, verifyAddress } from '../users/register-user.process.js';
import { user } from '../users/user.js';
import { countTry, forgetTries, takeBackTry } from './attempts.operational.js';
import { endLinks, useLink, type LinkDocument } from './links.operational.js';
import { ownCommand } from './own-command.process.js';
import { findPerson } from './people.queries.js';

/**
 * Who has this address and password. What is refused looks the same and takes as long whether the address is known or not;
 * tries are counted by address and by client before.
 * @throws AppError `unauthenticated`, `rate_limited`.
 */
export async function checkPassword(
  context: ServiceContext,
  hashing: PasswordHashing,
  { email, password, client }: { email: string; password: string; client: string },
): Promise<string> {
  await countTry(context, { kind: 'address', of: client });
  await countTry(context, { kind: 'account', of: email });
  const person = await findPerson(context, email);
  const stored = await findPassword(context.store, person?._id ?? 'nobody');
  const { matches, outdated } = await hashing.verify(password, stored);
  if (!matches || person === null || stored === null) throw new AppError('unauthenticated', [], { message: 'Wrong address or password' });
  if (outdated) await replaceHash(context.store, person._id, stored, await hashing.hash(password));
  await forgetTries(context, { kind: 'account', of: email });
  await takeBackTry(context, { kind: 'address', of: client });
  return person._id;
}

/**
 * Who a link was sent to. It proves the address: that is noted, and an invited person who has no account gets one.
 * @throws AppError `unauthenticated` for a link that does not work, or no more.
 */
export async function openByLink(context: ServiceContext, text: string, displayName: string | undefined, call: InternalCall): Promise<string> {
  const link = await useLink(context, text);
  const person = link === null ? null : await personOf(context, link, displayName, call);
  if (person === null) throw new AppError('unauthenticated', [], { message: 'This link does not work, or no more' });
  const { email, id } = person;
  await endLinks(context, id);
  await forgetTries(context, { kind: 'account', of: email });
  return id;
}

interface Owner {
  id: string;
  email: string;
}

async function personOf(context: ServiceContext, link: LinkDocument, displayName: string | undefined, call: InternalCall): Promise<Owner | null> {
  if (link.invite !== null) return newPerson(context, link.invite, displayName, call);
  const state = link.user === null ? null : await context.store.load(user, link.user);
  if (link.user === null || state?.status !== 'active') return null;
  const owner = { id: link.user, email: state.email };
  if (!state.emailVerified) await verifyAddress(context, owner.id, owner.email, ownCommand(call, owner.id, null));
  return owner;
}

/** Whoever has registered with the address meanwhile is that person. */
async function newPerson(context: ServiceContext, invited: string, displayName: string | undefined, call: InternalCall): Promise<Owner | null> {
  const terms = await context.store.load(invite, invited);
  if (terms.status !== 'pending') return null;
  const { email } = terms;
  const id = derivedId('invited person', invited);
  const name = displayName ?? email.slice(0, email.indexOf('@')).slice(0, 64);
  try {
    const command = { ...step(ownCommand(call, id, null), 'user'), idem: `invited:${invited}` };
    await registerUser(context, id, { email, displayName: name, emailVerified: true, kind: 'person', operator: false }, command);
    return { id, email };
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'already_exists') throw error;
    const person = await findPerson(context, email);
    return person === null ? null : { id: person._id, email };
  }
}

/** Begins a session and answers with it. @throws AppError `sso_required` for whoever has to sign in through their organization */
export async function admitted(context: ServiceContext, user: string, method: Exclude<Session['method'], 'saml'>, call: InternalCall) {
  if (await isSignInClosed(context, user)) throw new AppError('sso_required', [], { message: 'Your organization asks you to sign in with single sign-on' });
  await context.store.handle(credentials, user, ownCommand(call, user, null), (state) => noteSignIn(state, { method }));
  const { text, session } = await beginSession(context, { user, method, client: call.client.agent });
  return new WithSession(await getOwnSession(context, session), text);
}
